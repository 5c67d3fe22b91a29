"""`outplay web`: start the server and print its address."""

import ipaddress
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from typing import Any

import uvicorn

from outplay.ui.web.app import application
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.connections import Connection
from outplay.ui.web.live import MAX_MESSAGE
from outplay.ui.web.processes import get_ready

PORT = 8000
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def serve(files: Sequence[str], host: str, port: int | None, browse: bool) -> None:
    """Serve the page until Ctrl-C, to clients with the token."""
    get_ready()  # while this process imports its own modules
    catalogue = Catalogue(files)
    listener = listen(host, port)
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    app = application(catalogue, names(host, port), token)
    shown = f"http://{_shown(host)}:{port}/?token={token}"
    print(f"Outplay is at {shown}   (Ctrl-C stops it)", flush=True)
    if not is_local(host):
        print(
            "anyone with this address can use this machine; the connection is not encrypted", file=sys.stderr
        )
    if browse:
        threading.Timer(0.5, webbrowser.open, (shown,)).start()
    uvicorn.Server(configured(app)).run(sockets=[listener])


def configured(app: Any) -> uvicorn.Config:
    """The network settings."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        http=Connection,
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        proxy_headers=False,  # otherwise clients could forge their address
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        server_header=False,
        date_header=False,
    )


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the requested port, by default the first free one from the usual one on."""
    if not host:  # the system would take it for every address
        raise ValueError("--host needs an address: 127.0.0.1 for this machine only, 0.0.0.0 for every one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [port] if port is not None else [*range(PORT, PORT + 20), 0]
    for number in wanted:
        listener = socket.socket(
            family, socket.SOCK_STREAM, socket.IPPROTO_TCP
        )  # asyncio needs it for TCP_NODELAY
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(1024)  # early connections are answered once the server runs
            return listener
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
    raise ValueError(f"cannot listen on {host} port {wanted[0]}: {problem}")


def is_local(host: str) -> bool:
    """Whether an address is reachable from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def names(host: str, port: int) -> list[str] | None:
    """The accepted host names; None, any, if it listens on every address."""
    if host in ("0.0.0.0", "::"):
        return None
    known = [*(LOCAL if is_local(host) else ()), _shown(host)]
    return [f"{name}:{port}" for name in known] + (known if port == 80 else [])


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
