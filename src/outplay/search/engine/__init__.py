"""The engine: one alpha-beta for every game, with a transposition table and every enhancement a switch."""
