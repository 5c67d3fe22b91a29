"""The engine: one alpha-beta for every game, with a transposition table; every enhancement is a switch."""
