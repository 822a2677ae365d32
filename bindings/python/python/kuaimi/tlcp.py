"""TLCP (GB/T 38636-2020), the TLS of ShangMi: sockets, in the shape of the module ssl.

A client:

    context = tlcp.create_default_context(cafile="ca.crt")
    with socket.create_connection(("bank.example", 443)) as plain, context.wrap_socket(plain, server_hostname="bank.example") as sock:
        sock.sendall(b"GET / HTTP/1.0\\r\\nHost: bank.example\\r\\n\\r\\n")

A server has a pair of certificates, one that signs and one that receives keys:

    context = tlcp.TLCPContext(server_side=True)
    context.load_cert_pair("sign.crt", "sign.pem", "enc.crt", "enc.pem")

The peer's certificates are verified, and its name: what accepts more is named dangerous.

>>> from kuaimi import tlcp
>>> context = tlcp.TLCPContext()
>>> context.set_ciphers("ECC_SM4_GCM_SM3:ECC_SM4_CBC_SM3")
>>> context.connection(server_hostname="bank.example")
Traceback (most recent call last):
kuaimi.errors.InvalidArgument: nobody is trusted: load the certificates of authorities, as with load_verify_locations(cafile)
"""

from __future__ import annotations

import contextlib
import datetime
import io
import os
import selectors
import socket
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias

from . import sm2, x509
from ._native import tlcp as _native
from .errors import InvalidArgument, TLCPError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["CIPHERS", "ClientAuth", "TLCPConnection", "TLCPContext", "TLCPError", "TLCPSocket", "create_default_context"]

CIPHERS: tuple[str, ...] = tuple(_native.SUITES)
"""The cipher suites, the preferred one first. Those with ECDHE need certificates of the client, too."""

ClientAuth: TypeAlias = Literal["none", "optional", "required"]
"""Whether a server asks clients for certificates, and refuses clients without."""

_File: TypeAlias = str | os.PathLike[str]

_RECEIVE = 64 << 10
# Without waiting. Where there is no such flag, a socket that can be written to takes a few bytes.
_DO_NOT_WAIT = getattr(socket, "MSG_DONTWAIT", 0)
_SEND = _RECEIVE if _DO_NOT_WAIT else 1024
_CLOSED = "the socket is closed"


def _certificates(data: bytes) -> list[x509.Certificate]:
    if b"-----BEGIN" in data:
        return x509.load_pem_x509_certificates(data)
    return [x509.load_der_x509_certificate(data)]


class TLCPContext:
    """What connections have in common: whom they trust, the own pair of certificates, the suites.

    What is set later is for connections that are made later.

    >>> TLCPContext(server_side=True).server_side
    True
    """

    def __init__(self, server_side: bool = False) -> None:
        self._server_side = server_side
        self._anchors: list[x509.Certificate] = []
        self._crls: list[bytes] = []
        self._anyone = False
        self._pair: _native.Pair | None = None
        self._others: list[tuple[str, _native.Pair]] = []
        self._ciphers = list(CIPHERS)
        self._alpn: list[bytes] = []
        self._sessions = _native.Sessions(1024, 2 * 3600)
        self._made: _native.Client | _native.Server | None = None
        self.client_auth: ClientAuth = "none"
        """Whether a server asks clients for certificates. Set it before the first connection."""
        self.revocation: Literal["if-given", "end", "all"] = "if-given"
        """Of which certificates it must be known that they are not revoked. Set it before the first connection."""
        self.accept_empty_identity = False
        """Whether certificates that are signed under the empty identity are accepted. Set it before the first connection."""
        self.validation_time: datetime.datetime | None = None
        """When certificates must be valid: if None, at the time of the handshake. Set it before the first connection."""

    @property
    def server_side(self) -> bool:
        """Whether the connections are those of a server.

        >>> TLCPContext().server_side
        False
        """
        return self._server_side

    def load_verify_locations(self, cafile: _File | None = None, cadata: bytes | str | None = None) -> None:
        """Trusts the certificates of authorities, in PEM or DER, from a file or as data.

        >>> TLCPContext().load_verify_locations()
        Traceback (most recent call last):
        kuaimi.errors.InvalidArgument: cafile or cadata is needed
        """
        if cafile is None and cadata is None:
            raise InvalidArgument("cafile or cadata is needed")
        if cafile is not None:
            self._anchors += _certificates(Path(cafile).read_bytes())
        if cadata is not None:
            self._anchors += _certificates(cadata.encode() if isinstance(cadata, str) else cadata)
        self._made = None

    def load_crls(self, data: bytes) -> None:
        """Adds lists of revoked certificates, in DER or PEM.

        >>> context = TLCPContext()
        >>> context.load_verify_locations(cadata=open("ca.crt").read())  # doctest: +SKIP
        >>> context.load_crls(open("ca.crl", "rb").read())  # doctest: +SKIP
        """
        self._crls.append(data)
        self._made = None

    def load_cert_pair(
        self,
        sign_certfile: _File,
        sign_keyfile: _File,
        encrypt_certfile: _File,
        encrypt_keyfile: _File,
        password: bytes | None = None,
        server_name: str | None = None,
    ) -> None:
        """The own pair: a certificate that signs and one that receives keys, each with its key, from files.

        A file may have the certificates above its own. `password` is that of keys that are encrypted. A server with several names has a pair
        for clients that ask for `server_name`.

        >>> TLCPContext(server_side=True).load_cert_pair("sign.crt", "sign.pem", "enc.crt", "enc.pem")
        Traceback (most recent call last):
        FileNotFoundError: [Errno 2] No such file or directory: 'sign.crt'
        """
        sign, *above = _certificates(Path(sign_certfile).read_bytes())
        encrypt, *more = _certificates(Path(encrypt_certfile).read_bytes())
        above += [one for one in more if one not in above]
        sign_key = sm2.load_private_key(Path(sign_keyfile).read_bytes(), password)
        encrypt_key = sm2.load_private_key(Path(encrypt_keyfile).read_bytes(), password)
        self.use_pair(sign, sign_key, encrypt, encrypt_key, above, server_name)

    def use_pair(
        self,
        sign_certificate: x509.Certificate,
        sign_key: sm2.SM2PrivateKey,
        encrypt_certificate: x509.Certificate,
        encrypt_key: sm2.SM2PrivateKey,
        above: Iterable[x509.Certificate] = (),
        server_name: str | None = None,
    ) -> None:
        """As load_cert_pair, of objects: `above` are the intermediate certificates, from the pair to the root.

        >>> TLCPContext.use_pair.__name__
        'use_pair'
        """
        signing, encrypting = (sign_certificate._native, sign_key), (encrypt_certificate._native, encrypt_key)
        pair = _native.Pair(signing, encrypting, [one._native for one in above])
        if server_name is None:
            self._pair = pair
        else:
            self._others.append((server_name, pair))
        self._made = None

    def set_ciphers(self, ciphers: str | Iterable[str]) -> None:
        """The cipher suites, the preferred one first: a list, or names with a colon between.

        >>> TLCPContext().set_ciphers("RC4")
        Traceback (most recent call last):
        kuaimi.errors.InvalidArgument: the cipher suites are ECDHE_SM4_GCM_SM3, ECC_SM4_GCM_SM3, ECDHE_SM4_CBC_SM3, ECC_SM4_CBC_SM3
        """
        names = ciphers.split(":") if isinstance(ciphers, str) else list(ciphers)
        if not names or any(name not in CIPHERS for name in names):
            raise InvalidArgument(f"the cipher suites are {', '.join(CIPHERS)}")
        self._ciphers = names
        self._made = None

    def set_alpn_protocols(self, alpn_protocols: Iterable[str]) -> None:
        """The application protocols (ALPN), the preferred one first.

        >>> TLCPContext().set_alpn_protocols(["h2", "http/1.1"])
        """
        self._alpn = [name.encode() for name in alpn_protocols]
        self._made = None

    def set_sessions(self, count: int, seconds: int = 2 * 3600) -> None:
        """How many sessions are kept to be resumed, 0 for none, and for how long. Those that are kept are forgotten.

        >>> TLCPContext().set_sessions(0)
        """
        self._sessions = _native.Sessions(count, seconds)
        self._made = None

    def dangerous_accept_anyone(self) -> None:
        """Accepts every peer. Certificates are not verified, so an attacker on the network can read and change everything. For experiments.

        >>> context = TLCPContext()
        >>> context.dangerous_accept_anyone()
        >>> context.connection(server_hostname="bank.example").is_handshaking
        True
        """
        self._anyone = True
        self._made = None

    def _authorities(self) -> _native.Authorities:
        if self._anyone:
            return _native.Authorities.dangerous_anyone()
        if not self._anchors:
            raise InvalidArgument("nobody is trusted: load the certificates of authorities, as with load_verify_locations(cafile)")
        anchors = [one._native for one in self._anchors]
        return _native.Authorities(anchors, self._crls, self.revocation, self.accept_empty_identity)

    def _config(self) -> _native.Client | _native.Server:
        if self._made is not None:
            return self._made
        time = None if self.validation_time is None else int(self.validation_time.timestamp())
        common = (self._ciphers, self._alpn, self._sessions, time)
        if not self._server_side:
            self._made = _native.Client(self._authorities(), self._pair, *common)
            return self._made
        if self._pair is None:
            raise InvalidArgument("a server has a pair of certificates: load it, as with load_cert_pair")
        if self.client_auth not in ("none", "optional", "required"):
            raise InvalidArgument('client_auth is "none", "optional" or "required"')
        clients = None if self.client_auth == "none" else (self._authorities(), self.client_auth == "required")
        self._made = _native.Server(clients, self._pair, self._others, *common)
        return self._made

    def connection(self, server_hostname: str | None = None) -> TLCPConnection:
        """A connection without a socket. A client says whom it connects to: a name, or an address.

        >>> TLCPContext().connection()
        Traceback (most recent call last):
        kuaimi.errors.InvalidArgument: a client has a server_hostname
        """
        if not self._server_side and not server_hostname:
            raise InvalidArgument("a client has a server_hostname")
        if self._server_side and server_hostname is not None:
            raise InvalidArgument("server_hostname is for clients")
        config = self._config()
        if isinstance(config, _native.Server):
            return TLCPConnection(_native.Connection.server(config))
        return TLCPConnection(_native.Connection.client(config, server_hostname or ""))

    def wrap_socket(
        self,
        sock: socket.socket,
        server_hostname: str | None = None,
        do_handshake_on_connect: bool = True,
        suppress_ragged_eofs: bool = False,
    ) -> TLCPSocket:
        """A connection over a socket that is connected. Closing it closes the socket.

        A peer that ends without close_notify raises TLCPError, as data may be missing; with `suppress_ragged_eofs` this counts as an end.

        >>> TLCPContext.wrap_socket.__name__
        'wrap_socket'
        """
        wrapped = TLCPSocket(sock, self.connection(server_hostname), server_hostname, suppress_ragged_eofs)
        if do_handshake_on_connect:
            try:
                wrapped.do_handshake()
            except BaseException:
                wrapped.close()
                raise
        return wrapped


def create_default_context(cafile: _File | None = None, cadata: bytes | str | None = None) -> TLCPContext:
    """A client's context that trusts these authorities. There is no list of authorities for TLCP on the system.

    >>> create_default_context()
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: cafile or cadata is needed
    """
    context = TLCPContext()
    context.load_verify_locations(cafile, cadata)
    return context


class TLCPConnection:
    """A connection without input and output, for event loops: bytes from the network go in, bytes for the network come out.

    Threads may share it. It belongs to one process: a child of a fork must not use it.

    >>> context = TLCPContext()
    >>> context.dangerous_accept_anyone()
    >>> connection = context.connection(server_hostname="bank.example")
    >>> len(connection.bytes_to_send()) > 0
    True
    """

    def __init__(self, connection: _native.Connection) -> None:
        self._native = connection

    def receive_bytes(self, data: Buffer) -> int:
        """Takes bytes from the network, and returns how many: fewer where data waits for `read`. No bytes are the network's end.

        After an error, send what `bytes_to_send` still gives, which tells the peer, and close.

        >>> context = TLCPContext()
        >>> context.dangerous_accept_anyone()
        >>> context.connection(server_hostname="bank.example").receive_bytes(b"HTTP/1.1 400 Bad Request")
        Traceback (most recent call last):
        kuaimi.errors.TLCPError: the peer does not speak TLCP, but HTTP
        """
        return self._native.receive(data)

    def bytes_to_send(self) -> bytes:
        """All bytes that wait for the network, to be sent in this order.

        >>> TLCPConnection.bytes_to_send.__name__
        'bytes_to_send'
        """
        return self._native.send()

    def write(self, data: Buffer) -> int:
        """Takes data to be sent, and returns how many bytes: fewer where much waits for `bytes_to_send`.

        >>> context = TLCPContext()
        >>> context.dangerous_accept_anyone()
        >>> context.connection(server_hostname="bank.example").write(b"waits for the handshake")
        23
        """
        return self._native.write(data)

    def read(self, size: int = _RECEIVE) -> bytes | None:
        """Data that came, at most `size` bytes: None if none has come yet, b"" once the peer has closed.

        >>> context = TLCPContext()
        >>> context.dangerous_accept_anyone()
        >>> context.connection(server_hostname="bank.example").read() is None
        True
        """
        if size < 0:
            raise InvalidArgument("size is not negative")
        return self._native.read(size) if size > 0 else b""

    def close(self) -> None:
        """Tells the peer that nothing more is sent: call `bytes_to_send` after it. What the peer sends can still be read.

        >>> TLCPConnection.close.__name__
        'close'
        """
        self._native.close()

    @property
    def is_handshaking(self) -> bool:
        """Whether the handshake has not ended yet."""
        return self._native.is_handshaking

    @property
    def peer_has_closed(self) -> bool:
        """Whether the peer said that it sends nothing more."""
        return self._native.peer_has_closed

    @property
    def pending(self) -> int:
        """How many bytes `read` would give now."""
        return self._native.pending

    @property
    def cipher(self) -> str | None:
        """The cipher suite; None before the handshake has ended."""
        return self._native.suite

    @property
    def alpn_protocol(self) -> str | None:
        """The application protocol that was chosen."""
        chosen = self._native.alpn
        return None if chosen is None else chosen.decode(errors="replace")

    @property
    def server_name(self) -> str | None:
        """The host that the client asked for, at a server."""
        return self._native.server_name

    @property
    def session_reused(self) -> bool:
        """Whether a session was resumed."""
        return self._native.is_resumed

    @property
    def peer_certificates(self) -> list[x509.Certificate]:
        """The peer's certificates: the signing one, the encrypting one, those above them. None before the handshake has ended."""
        return [x509.load_der_x509_certificate(der) for der in self._native.peer]


class TLCPSocket:
    """A connection over a socket, with the methods of ssl.SSLSocket. One thread may read while another writes.

    >>> TLCPSocket.__name__
    'TLCPSocket'
    """

    def __init__(self, sock: socket.socket, connection: TLCPConnection, server_hostname: str | None, suppress_ragged_eofs: bool) -> None:
        self._sock = sock
        self._connection = connection
        self._suppress_ragged_eofs = suppress_ragged_eofs
        self._sending = threading.Lock()
        self._unsent = b""
        self._closed = False
        self._files = 0
        self.server_hostname = server_hostname
        """Whom a client connects to."""

    @property
    def connection(self) -> TLCPConnection:
        """The connection under the socket, with what the handshake found."""
        return self._connection

    def _flush(self) -> None:
        """Sends what waits. What a socket with a time limit does not take is kept."""
        with self._sending:
            self._unsent += self._connection.bytes_to_send()
            while self._unsent:
                self._unsent = self._unsent[self._sock.send(self._unsent) :]

    def _send_beside(self) -> bool:
        """Sends what waits as far as it can be sent without waiting, and says whether there is something to receive. A peer that is sending
        reads nothing until it is read from, so this must not wait for the network to take bytes alone.
        """
        if not self._sending.acquire(blocking=False):
            # Another thread is sending.
            return True
        try:
            self._unsent += self._connection.bytes_to_send()
            if not self._unsent:
                return True
            with selectors.DefaultSelector() as selector:
                selector.register(self._sock, selectors.EVENT_READ | selectors.EVENT_WRITE)
                ready = selector.select(self._sock.gettimeout())
            events = ready[0][1] if ready else 0
            if events & selectors.EVENT_WRITE:
                with contextlib.suppress(BlockingIOError):
                    self._unsent = self._unsent[self._sock.send(self._unsent[:_SEND], _DO_NOT_WAIT) :]
            # Without either event the time has passed: receiving says so.
            return events != selectors.EVENT_WRITE
        finally:
            self._sending.release()

    def _fill(self) -> None:
        """Waits for bytes from the network once."""
        data = self._sock.recv(_RECEIVE)
        try:
            taken = self._connection.receive_bytes(data)
            while taken < len(data):
                # Each call takes a part, as nothing waits to be read when this is called.
                taken += self._connection.receive_bytes(data[taken:])
        except Exception:
            # The peer is told why, if it still listens.
            with contextlib.suppress(OSError):
                self._flush()
            raise

    def do_handshake(self) -> None:
        """The handshake, which the first data would begin otherwise."""
        while self._connection.is_handshaking:
            self._flush()
            self._fill()
        self._flush()

    def recv(self, bufsize: int = _RECEIVE, flags: int = 0) -> bytes:
        """Waits for data, at most `bufsize` bytes: b"" once the peer has closed."""
        self._check(flags)
        return self._recv(bufsize)

    def _check(self, flags: int) -> None:
        if self._closed:
            raise OSError(9, _CLOSED)
        if flags:
            raise InvalidArgument("there are no flags")

    def _recv(self, bufsize: int) -> bytes:
        while True:
            try:
                data = self._connection.read(bufsize)
            except TLCPError:
                if self._suppress_ragged_eofs and self._connection._native.is_truncated:
                    return b""
                raise
            if data is not None:
                return data
            if self._send_beside():
                self._fill()

    read = recv

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        """As recv, into a buffer."""
        view = memoryview(buffer).cast("B")
        data = self.recv(nbytes or len(view), flags)
        view[: len(data)] = data
        return len(data)

    def send(self, data: Buffer, flags: int = 0) -> int:
        """Sends data, and returns how many bytes were taken."""
        self._check(flags)
        return self._send(data)

    def _send(self, data: Buffer) -> int:
        if self._connection.is_handshaking:
            self.do_handshake()
        if self._unsent:
            self._flush()
        taken = self._connection.write(data)
        # What was taken is sent later if the socket does not wait.
        with contextlib.suppress(BlockingIOError):
            self._flush()
        return taken

    write = send

    def sendall(self, data: Buffer, flags: int = 0) -> None:
        """Sends all of the data."""
        view = memoryview(data).cast("B")
        while view:
            view = view[self.send(view, flags) :]

    def unwrap(self) -> socket.socket:
        """Ends the connection on both sides, and returns the socket, which is plain again."""
        self._connection.close()
        self._flush()
        while not self._connection.peer_has_closed:
            if self._connection.pending:
                raise TLCPError("the peer's data was not read")
            self._fill()
        self._closed = True
        return self._sock

    def shutdown(self, how: int) -> None:
        """Tells the peer that nothing more is sent (SHUT_WR, SHUT_RDWR), and shuts the socket down."""
        if how != socket.SHUT_RD:
            self._connection.close()
            self._flush()
        self._sock.shutdown(how)

    def close(self) -> None:
        """Tells the peer that nothing more is sent, as far as this takes no waiting, and closes the socket."""
        if self._closed:
            return
        self._closed = True
        if self._files == 0:
            self._end()

    def _end(self) -> None:
        with contextlib.suppress(OSError):
            self._sock.setblocking(False)
            if not self._connection.is_handshaking:
                self._connection.close()
            self._flush()
        self._sock.close()

    def makefile(self, mode: str = "r", buffering: int | None = None, *, encoding: str | None = None, errors: str | None = None, newline: str | None = None) -> IO[Any]:
        """A file object over the connection, as of a socket. The socket is closed when both are."""
        if not set(mode) <= {"r", "w", "b"}:
            raise ValueError(f"invalid mode {mode!r}: r, w and b are possible")
        reading, writing = "r" in mode or "w" not in mode, "w" in mode
        raw = _RawFile(self, reading, writing)
        size = io.DEFAULT_BUFFER_SIZE if buffering is None or buffering < 0 else buffering
        if size == 0:
            if "b" not in mode:
                raise ValueError("unbuffered streams must be binary")
            return raw  # type: ignore[return-value]
        buffer: Any
        if reading and writing:
            buffer = io.BufferedRWPair(raw, raw, size)
        elif reading:
            buffer = io.BufferedReader(raw, size)
        else:
            buffer = io.BufferedWriter(raw, size)
        if "b" in mode:
            return buffer  # type: ignore[no-any-return]
        return io.TextIOWrapper(buffer, encoding, errors, newline)

    def cipher(self) -> tuple[str, str, int] | None:
        """The cipher suite, the version, and the bits of the key; None before the handshake has ended."""
        name = self._connection.cipher
        return None if name is None else (name, "TLCPv1.1", 128)

    def version(self) -> str | None:
        """The version of the protocol; None before the handshake has ended."""
        return None if self._connection.cipher is None else "TLCPv1.1"

    def selected_alpn_protocol(self) -> str | None:
        """The application protocol that was chosen."""
        return self._connection.alpn_protocol

    @property
    def session_reused(self) -> bool:
        """Whether a session was resumed."""
        return self._connection.session_reused

    @property
    def peer_certificates(self) -> list[x509.Certificate]:
        """The peer's certificates: the signing one, the encrypting one, those above them."""
        return self._connection.peer_certificates

    def pending(self) -> int:
        """How many bytes can be read without waiting."""
        return self._connection.pending

    def fileno(self) -> int:
        """The number of the socket, for select: ask `pending` before."""
        return self._sock.fileno()

    def settimeout(self, timeout: float | None) -> None:
        """How long calls wait, in seconds; None for as long as it takes."""
        self._sock.settimeout(timeout)

    def gettimeout(self) -> float | None:
        """How long calls wait."""
        return self._sock.gettimeout()

    def setblocking(self, flag: bool) -> None:
        """Whether calls wait. Where they do not, they raise BlockingIOError."""
        self._sock.setblocking(flag)

    def getpeername(self) -> Any:
        """The peer's address."""
        return self._sock.getpeername()

    def getsockname(self) -> Any:
        """The own address."""
        return self._sock.getsockname()

    def setsockopt(self, level: int, optname: int, value: int | Buffer) -> None:
        """An option of the socket."""
        self._sock.setsockopt(level, optname, value)

    def __enter__(self) -> TLCPSocket:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<TLCPSocket of {self._sock!r}, {self._connection.cipher or 'before the end of the handshake'}>"


class _RawFile(io.RawIOBase):
    """What makefile buffers. It can be used after the socket was closed, which ends with its last file."""

    def __init__(self, sock: TLCPSocket, reading: bool, writing: bool) -> None:
        super().__init__()
        self._socket: TLCPSocket | None = sock
        self._reading, self._writing = reading, writing
        sock._files += 1

    def readable(self) -> bool:
        return self._reading and not self.closed

    def writable(self) -> bool:
        return self._writing and not self.closed

    def _open(self) -> TLCPSocket:
        if self._socket is None:
            raise ValueError("I/O operation on closed file")
        return self._socket

    def readinto(self, buffer: Any) -> int | None:
        sock = self._open()
        view = memoryview(buffer).cast("B")
        try:
            data = sock._recv(len(view))
        except BlockingIOError:
            return None
        view[: len(data)] = data
        return len(data)

    def write(self, data: Any) -> int | None:
        sock = self._open()
        try:
            return sock._send(data)
        except BlockingIOError:
            return None

    def fileno(self) -> int:
        return self._open().fileno()

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        sock, self._socket = self._socket, None
        if sock is not None:
            sock._files -= 1
            if sock._closed and sock._files == 0:
                sock._end()
