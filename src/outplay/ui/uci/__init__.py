"""The Universal Chess Interface (Huber & Meyer-Kahlen 2000): `outplay uci`, and `outplay-uci` for any GUI."""
