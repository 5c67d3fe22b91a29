"""Access control: everything that is checked before a request reaches a route.

Other web sites must not be able to use this server through its user's browser. So the Host header must name this server
(DNS rebinding), the Origin of everything but plain loads must be this page (cross-site requests and WebSockets), and
the client must have opened the address with the token that the server printed, unlike other users of this machine. The
resulting cookie also identifies clients. Sizes and rates are bounded.
"""

import asyncio
import hmac
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 256 << 10  # bytes
MAX_DRAINED = 4 << 20  # bytes read of a larger one before it is rejected
RATE, BURST = 300.0, 900.0  # requests per second from one client, and at once
CLIENT = "outplay.client"  # a scope's key for the client
BODY_SECONDS = 10.0  # until a body is complete

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


class Turned(Exception):
    """A request is rejected with a status and one line."""

    def __init__(self, status: int, line: str) -> None:
        super().__init__(line)
        self.status, self.line = status, line


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: App, hosts: Iterable[str] | None, token: str) -> None:
        self.app = app
        self.hosts = None if hosts is None else {host.lower() for host in hosts}  # None: any
        self.token = token
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        address = str((scope.get("client") or ("?",))[0])
        try:
            self.check_host(headers)
            client = self.client(headers)
            self.check_rate(client or address)
            self.check_origin(scope, headers)
            if not client:
                self.check_token(scope)
                return await _welcome(send, self.cookie(headers), self.new_client())
            scope[CLIENT] = client
            if scope["type"] == "http":
                receive = await _whole_body(headers, receive)
        except Turned as turned:
            return await _turn_away(scope, receive, send, turned)
        await self.app(scope, receive, _with_headers(send))

    def check_rate(self, who: str) -> None:
        """A token bucket for each client."""
        now = time.monotonic()
        level, then = self.buckets.pop(who, (BURST, now))
        level = min(BURST, level + RATE * (now - then)) - 1
        self.buckets[who] = max(level, -1), now
        while len(self.buckets) > 1000:
            self.buckets.popitem(last=False)
        if level < 0:
            raise Turned(429, "too many requests: wait a second")

    def check_host(self, headers: dict[str, str]) -> None:
        host = headers.get("host", "").lower()
        if self.hosts is not None and host not in self.hosts:
            raise Turned(400, "unknown host name: use the address that the server printed")

    def check_origin(self, scope: Scope, headers: dict[str, str]) -> None:
        """Check the Origin header, which only browsers send."""
        origin = headers.get("origin")
        safe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if origin is not None and not safe:
            if _netloc(origin) != headers.get("host", "").lower():
                raise Turned(403, "requests must come from this server's own page")
        if headers.get("sec-fetch-site", "same-origin") == "cross-site" and not safe:
            raise Turned(403, "requests must come from this server's own page")

    def check_token(self, scope: Scope) -> None:
        """A new client must open the address with the token."""
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if scope["type"] != "http" or scope["path"] != "/" or not _same(asked, self.token):
            raise Turned(401, "open the address with the token that the server printed")

    def new_client(self) -> str:
        """A cookie's value: a client's name, and the proof that it knew the token."""
        name = secrets.token_urlsafe(12)
        return f"{name}.{self.proof(name)}"

    def proof(self, name: str) -> str:
        return hmac.digest(self.token.encode(), name.encode(), "sha256").hex()

    def client(self, headers: dict[str, str]) -> str:
        """The client named by the cookie; empty if the proof is wrong."""
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self.cookie(headers))
        except CookieError:
            return ""
        name, _, proof = cookie.value.partition(".") if cookie is not None else ("", "", "")
        return name if _same(proof, self.proof(name)) else ""

    def cookie(self, headers: dict[str, str]) -> str:
        """The cookie's name, different for each port, since servers on one host share cookies."""
        port = headers.get("host", "").rpartition(":")[2]
        return f"outplay-{port if port.isdecimal() else 80}"


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def client_of(scope: Any) -> str:
    """The client of an admitted request."""
    return str(scope[CLIENT])


def _same(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


async def _whole_body(headers: dict[str, str], receive: Receive) -> Receive:
    """Read a request's whole body, at most MAX_BODY bytes."""
    length = headers.get("content-length", "0")
    announced = int(length[:20]) if length.isascii() and length.isdecimal() else MAX_BODY + 1
    size, more, messages = 0, True, []
    until = asyncio.get_running_loop().time() + BODY_SECONDS
    while more and size <= MAX_DRAINED:  # drain a large body, otherwise the client could not read our reply
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise Turned(408, "the request took too long to arrive") from None
        if message["type"] != "http.request":
            messages.append(message)
            break
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
        if size <= MAX_BODY:
            messages.append(message)
    if max(size, announced) > MAX_BODY:
        raise Turned(413, f"a request has at most {MAX_BODY:,} bytes")

    async def again() -> MutableMapping[str, Any]:
        return messages.pop(0) if messages else await receive()

    return again


def _with_headers(send: Send) -> Send:
    async def sender(message: MutableMapping[str, Any]) -> None:
        if message["type"] in ("http.response.start", "websocket.accept"):
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return sender


async def _turn_away(scope: Scope, receive: Receive, send: Send, turned: Turned) -> None:
    if scope["type"] == "websocket":
        await receive()  # the connect message
        return await send({"type": "websocket.close", "code": 1008, "reason": turned.line})
    body = json.dumps({"error": turned.line}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *HEADERS]
    if turned.status in (401, 408, 413):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": turned.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _welcome(send: Send, name: str, value: str) -> None:
    """The address contained the token: set the cookie and redirect."""
    cookie = f"{name}={value}; HttpOnly; SameSite=Strict; Path=/"
    headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0"), *HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
