"""The Go Text Protocol, version 2 (Farnebäck): for GUIs and servers."""
