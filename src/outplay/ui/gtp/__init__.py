"""The Go Text Protocol, version 2 (Farnebäck): for programs that show boards, and for servers."""
