"""Between the server and the application: requests go to its threads, answers come back, streams need no thread."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from flask import Flask

from webpanel import connections, live
from webpanel.connections import Connection, Connections
from webpanel.live import Stream

LARGEST_BODY = 256 * 1024
"""Bytes that are read of a request; more is refused unread."""
THREADS = {True: 12, False: 4}
"""For phones of the table, and for everybody else: a crowd of strangers must not keep the judge waiting."""

MOST_COOKIES = 100
"""How many phones of the table are remembered."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Gone(Exception):
    """Whoever asked is not there any more."""


@dataclass
class Answer:
    """What the application answers."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    stream: Stream | None = None
    known: bool = False
    """Whether a phone of the table has asked."""


TOO_SLOW = Answer(408, [(b"connection", b"close"), (b"content-length", b"0")])


class Gateway:
    """The application, as the server wants it (ASGI)."""

    def __init__(self, app: Flask, counted: Connections) -> None:
        self.connections = counted
        self._app = app
        self._cookies: set[str] = set()
        """Those that phones of the table have sent, so that a further connection of theirs is known at once."""
        self._pools = {known: ThreadPoolExecutor(count, "page") for known, count in THREADS.items()}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        connection: Connection = scope["state"]["connection"]
        try:
            environ = await self._environ(scope, receive)
        except Gone:
            return
        except TimeoutError:
            await self._answer(TOO_SLOW, connection, send)
            return
        connection.begin()
        try:
            cookie = environ.get("HTTP_COOKIE", "")
            answer = await self._in_thread(connection.known or cookie in self._cookies, self._ask, environ)
            connection.recognise(answer.known)
            self._remember(cookie, answer.known)
            await self._answer(answer, connection, send)
        finally:
            connection.finish()

    def close(self) -> None:
        """Answer nothing more."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _remember(self, cookie: str, known: bool) -> None:
        if not known or len(self._cookies) >= MOST_COOKIES:
            self._cookies.discard(cookie)
        else:
            self._cookies.add(cookie)

    async def _in_thread(self, known: bool, call: Callable[..., Any], *given: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._pools[known], call, *given)

    # The request

    async def _environ(self, scope: Message, receive: Receive) -> dict[str, Any]:
        """The request as the application wants it (WSGI)."""
        headers = joined(scope["headers"])
        length = headers.pop("content-length", "")
        large = length.isdecimal() and int(length) > LARGEST_BODY
        body = None if large else await read(receive)
        host, port = scope["server"] or ("", 0)
        return {
            "REQUEST_METHOD": scope["method"],
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
            "QUERY_STRING": scope["query_string"].decode("latin-1"),
            "SERVER_NAME": host,
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
            "REMOTE_ADDR": (scope["client"] or ("",))[0],
            "CONTENT_TYPE": headers.pop("content-type", ""),
            "CONTENT_LENGTH": str(LARGEST_BODY + 1 if body is None else len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": scope["scheme"],
            "wsgi.input": io.BytesIO(body or b""),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
        }

    def _ask(self, environ: dict[str, Any]) -> Answer:
        """Let the application answer, in one of its threads."""
        answer = Answer()

        def start(status: str, headers: list[tuple[str, str]], _: object = None) -> Callable[[bytes], object]:
            answer.status = int(status.split(" ", 1)[0])
            answer.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            return lambda data: None

        pieces = self._app(environ, cast(Any, start))
        answer.known = bool(environ.get("webpanel.known"))
        if isinstance(pieces, Stream):
            answer.stream = pieces
        else:
            answer.body = joined_body(pieces)
        if int(environ["CONTENT_LENGTH"]) > LARGEST_BODY:
            answer.headers.append((b"connection", b"close"))
        return answer

    # The answer

    async def _answer(self, answer: Answer, connection: Connection, send: Send) -> None:
        if answer.stream:
            connection.streams = True
            await self._stream(answer, answer.stream, connection, send)
            return
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _stream(self, answer: Answer, stream: Stream, connection: Connection, send: Send) -> None:
        """Send what the stream has to say until it is over, or the page gone."""
        loop, bell = asyncio.get_running_loop(), asyncio.Event()
        stream.bell = lambda: loop.call_soon_threadsafe(bell.set)
        connection.on_gone = stream.finish
        try:
            await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
            while not connection.gone and (words := stream.words()) is not None:
                if words:
                    await send({"type": "http.response.body", "body": words.encode(), "more_body": True})
                try:
                    await asyncio.wait_for(bell.wait(), live.SLICE if stream.look else live.BEAT)
                    await asyncio.sleep(0.0 if stream.is_over else stream.patience)
                except TimeoutError:
                    if stream.look and await self._in_thread(answer.known, stream.look):
                        stream.ring()
                bell.clear()
            await send({"type": "http.response.body", "body": b""})
        finally:
            stream.close()


async def read(receive: Receive) -> bytes | None:
    """The body of a request; None if it is too large. Gone, or TimeoutError."""
    body = bytearray()
    async with asyncio.timeout(connections.REQUEST_SECONDS):
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Gone
            body += message.get("body", b"")
            if len(body) > LARGEST_BODY:
                return None
            if not message.get("more_body"):
                return bytes(body)


def joined(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by their names, repeated ones as one; names that could be taken for others are left out."""
    found: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if "_" not in name:
            found[name] = f"{found[name]}{'; ' if name == 'cookie' else ','}{value}" if name in found else value
    return found


def joined_body(pieces: Iterable[bytes]) -> bytes:
    """The whole of an answer, which is closed."""
    try:
        return b"".join(pieces)
    finally:
        getattr(pieces, "close", lambda: None)()
