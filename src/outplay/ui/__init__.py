"""The user interfaces: terminal, UCI, GTP, notebook and web page. No other package except cli prints."""
