"""TLCP over sockets and without them."""

from __future__ import annotations

import contextlib
import datetime
import http.client
import http.server
import os
import pathlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import kuaimi
from kuaimi import tlcp, x509
from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat

HOST = "bank.example"
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
NOW = datetime.datetime(2026, 6, 1, tzinfo=datetime.timezone.utc)
USAGE = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign")


def usage(*wanted: str) -> x509.KeyUsage:
    values = {name: name in wanted for name in USAGE}
    return x509.KeyUsage(**values, encipher_only=False, decipher_only=False)


class Identity:
    """An authority, and a pair of it."""

    def __init__(self, host: str = HOST) -> None:
        self.keys = [kuaimi.sm2.SM2PrivateKey.generate() for _ in range(3)]
        ca, sign, encrypt = self.keys
        self.root = self._build("CN=Root", ca, 1).add_extension(x509.BasicConstraints(True, None), True)
        self.root = self.root.add_extension(usage("key_cert_sign", "crl_sign"), True).sign(ca)
        names = x509.SubjectAlternativeName([x509.DNSName(host)])
        leaf = self._build("CN=bank", sign, 2).add_extension(names, False)
        self.sign = leaf.add_extension(usage("digital_signature", "content_commitment"), True).sign(ca, issuer=self.root)
        leaf = self._build("CN=bank", encrypt, 3).add_extension(names, False)
        leaf = leaf.add_extension(usage("key_encipherment", "data_encipherment", "key_agreement"), True)
        self.encrypt = leaf.sign(ca, issuer=self.root)

    @staticmethod
    def _build(name: str, key: kuaimi.sm2.SM2PrivateKey, serial: int) -> x509.CertificateBuilder:
        made = x509.CertificateBuilder().subject_name(x509.Name.from_rfc4514_string(name)).public_key(key.public_key())
        return made.serial_number(serial).not_valid_before(START).not_valid_after(START + datetime.timedelta(days=365))

    def server(self) -> tlcp.TLCPContext:
        context = tlcp.TLCPContext(server_side=True)
        context.validation_time = NOW
        self.use(context)
        return context

    def use(self, context: tlcp.TLCPContext, server_name: str | None = None) -> None:
        _, sign, encrypt = self.keys
        context.use_pair(self.sign, sign, self.encrypt, encrypt, server_name=server_name)

    def client(self) -> tlcp.TLCPContext:
        context = tlcp.create_default_context(cadata=self.root.public_bytes(Encoding.PEM))
        context.validation_time = NOW
        return context


@pytest.fixture(scope="module")
def identity() -> Identity:
    return Identity()


@contextlib.contextmanager
def serving(context: tlcp.TLCPContext, serve: Callable[[tlcp.TLCPSocket], Any]) -> Iterator[tuple[socket.socket, list[BaseException]]]:
    """A socket to a server in another thread, whose errors are in the list at the end."""
    ours, theirs = socket.socketpair()
    failures: list[BaseException] = []

    def run() -> None:
        try:
            with context.wrap_socket(theirs) as sock:
                serve(sock)
        except BaseException as error:
            failures.append(error)
        finally:
            theirs.close()

    thread = threading.Thread(target=run)
    thread.start()
    ours.settimeout(20)
    try:
        yield ours, failures
    finally:
        ours.close()
        thread.join(20)
        assert not thread.is_alive()


def echo(sock: tlcp.TLCPSocket) -> None:
    while data := sock.recv(5000):
        sock.sendall(data)


def test_data_both_ways(identity: Identity) -> None:
    data = os.urandom(300_001)
    with serving(identity.server(), echo) as (plain, failures):
        with identity.client().wrap_socket(plain, server_hostname=HOST) as sock:
            assert sock.version() == "TLCPv1.1"
            assert sock.cipher() == ("ECC_SM4_GCM_SM3", "TLCPv1.1", 128)
            assert sock.peer_certificates == [identity.sign, identity.encrypt]
            assert (sock.server_hostname, sock.session_reused) == (HOST, False)
            writer = threading.Thread(target=sock.sendall, args=[data])
            writer.start()
            found = b""
            while len(found) < len(data):
                found += sock.recv(70_000)
            writer.join()
            assert found == data
            sock.sendall(memoryview(bytearray(b"once more")))
            buffer = bytearray(20)
            assert sock.recv_into(buffer) == 9
            assert buffer[:9] == b"once more"
        with pytest.raises(OSError, match="closed"):
            sock.send(b"x")
        assert plain.fileno() == -1
    assert failures == []


@pytest.mark.parametrize("cipher", tlcp.CIPHERS)
def test_every_suite_with_certificates_of_the_client(identity: Identity, cipher: str) -> None:
    server, client = identity.server(), identity.client()
    server.client_auth = "required"
    server.load_verify_locations(cadata=identity.root.public_bytes(Encoding.DER))
    identity.use(client)
    client.set_ciphers(cipher)
    seen: list[Any] = []

    def serve(sock: tlcp.TLCPSocket) -> None:
        seen.extend([sock.peer_certificates, sock.connection.server_name])
        echo(sock)

    with serving(server, serve) as (plain, failures), client.wrap_socket(plain, server_hostname=HOST) as sock:
        sock.sendall(b"a payment")
        assert sock.recv() == b"a payment"
        assert sock.cipher() == (cipher, "TLCPv1.1", 128)
        assert sock.unwrap() is plain
    assert failures == []
    assert seen == [[identity.sign, identity.encrypt], HOST]


def test_clients_without_certificates_are_refused(identity: Identity) -> None:
    server = identity.server()
    server.client_auth = "required"
    server.load_verify_locations(cadata=identity.root.public_bytes(Encoding.PEM))
    with serving(server, echo) as (plain, failures):
        with pytest.raises(tlcp.TLCPError, match="alert"):
            identity.client().wrap_socket(plain, server_hostname=HOST)
    assert [str(one) for one in failures] == ["the peer sent no certificate"]
    assert isinstance(failures[0], kuaimi.errors.VerificationError)


def test_peers_that_are_not_trusted(identity: Identity) -> None:
    def refused(client: tlcp.TLCPContext, host: str, reason: str) -> None:
        with serving(identity.server(), echo) as (plain, failures):
            with pytest.raises(kuaimi.errors.VerificationError, match=reason):
                client.wrap_socket(plain, server_hostname=host)
        # The server was told.
        assert len(failures) == 1 and isinstance(failures[0], tlcp.TLCPError)
        assert isinstance(failures[0], ConnectionError)

    refused(identity.client(), "other.example", "other.example")
    refused(Identity().client(), HOST, "Root")
    late = identity.client()
    late.validation_time = NOW + datetime.timedelta(days=400)
    refused(late, HOST, "expired")
    anyone = tlcp.TLCPContext()
    anyone.dangerous_accept_anyone()
    with serving(identity.server(), echo) as (plain, failures):
        anyone.wrap_socket(plain, server_hostname="other.example").close()
    assert failures == []


def test_another_pair_by_name(identity: Identity) -> None:
    other = Identity("other.example")
    server = identity.server()
    other.use(server, "other.example")
    for one, host in [(identity, HOST), (other, "other.example")]:
        with serving(server, echo) as (plain, failures), one.client().wrap_socket(plain, server_hostname=host) as sock:
            assert sock.peer_certificates[0] == one.sign
        assert failures == []


def test_sessions_and_protocols(identity: Identity) -> None:
    server, client = identity.server(), identity.client()
    server.set_alpn_protocols(["h2", "http/1.1"])
    client.set_alpn_protocols(["http/1.1", "h2"])

    def resumed() -> bool:
        with serving(server, echo) as (plain, failures), client.wrap_socket(plain, server_hostname=HOST) as sock:
            assert sock.selected_alpn_protocol() == "h2"
            found = sock.session_reused
        assert failures == []
        return found

    assert [resumed(), resumed()] == [False, True]
    server.set_sessions(0)
    assert [resumed(), resumed()] == [False, False]
    client.set_alpn_protocols(["other"])
    with serving(server, echo) as (plain, failures):
        with pytest.raises(tlcp.TLCPError, match="no_application_protocol"):
            client.wrap_socket(plain, server_hostname=HOST)
    assert "ALPN" in str(failures[0])


def test_an_end_without_close_notify(identity: Identity) -> None:
    def cut(sock: tlcp.TLCPSocket) -> None:
        sock.sendall(b"half of")
        sock._sock.close()

    for suppress in [False, True]:
        with serving(identity.server(), cut) as (plain, _):
            sock = identity.client().wrap_socket(plain, HOST, suppress_ragged_eofs=suppress)
            assert sock.recv() == b"half of"
            if suppress:
                assert sock.recv() == b""
            else:
                with pytest.raises(tlcp.TLCPError, match="close_notify"):
                    sock.recv()


def test_time_limits_and_sockets_that_do_not_wait(identity: Identity) -> None:
    go_on = threading.Event()

    def slow(sock: tlcp.TLCPSocket) -> None:
        go_on.wait(20)
        echo(sock)

    with serving(identity.server(), slow) as (plain, failures):
        sock = identity.client().wrap_socket(plain, server_hostname=HOST)
        sock.settimeout(0.05)
        assert sock.gettimeout() == 0.05
        with pytest.raises(TimeoutError):
            sock.recv()
        sock.setblocking(False)
        with pytest.raises(BlockingIOError):
            sock.recv()
        # More than the socket takes: nothing is lost, and nothing comes twice.
        data = os.urandom(4_000_000)
        sent = 0
        with contextlib.suppress(BlockingIOError):
            while sent < len(data):
                sent += (count := sock.send(data[sent : sent + 100_000]))
                if count == 0:
                    break
        assert 0 < sent < len(data)
        go_on.set()
        sock.settimeout(20)
        rest = threading.Thread(target=sock.sendall, args=[data[sent:]])
        rest.start()
        found = bytearray()
        while len(found) < len(data):
            found += sock.recv()
        rest.join()
        assert found == data
        sock.close()
    assert failures == []


def test_files_over_a_connection(identity: Identity) -> None:
    def serve(sock: tlcp.TLCPSocket) -> None:
        with sock.makefile("rw", encoding="utf-8", newline="\n") as file:
            for line in file:
                file.write(line.upper())
                file.flush()

    with serving(identity.server(), serve) as (plain, failures):
        sock = identity.client().wrap_socket(plain, server_hostname=HOST)
        file = sock.makefile("rwb")
        # As with sockets, the connection ends with the last of both.
        sock.close()
        file.write(b"a line\n")
        file.flush()
        assert file.readline() == b"A LINE\n"
        file.close()
        assert plain.fileno() == -1
    assert failures == []


def test_http(identity: Identity) -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.path.encode() * 1000
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = identity.server()
    accept = server.get_request

    def get_request() -> tuple[Any, Any]:
        sock, address = accept()
        return context.wrap_socket(sock, do_handshake_on_connect=False), address

    server.get_request = get_request  # type: ignore[method-assign]
    server.shutdown_request = lambda request: request.close()  # type: ignore[method-assign,assignment,union-attr]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        client = http.client.HTTPConnection(*server.server_address[:2])
        plain = socket.create_connection(server.server_address[:2])
        client.sock = identity.client().wrap_socket(plain, server_hostname=HOST)  # type: ignore[assignment]
        for path in ["/one", "/two"]:
            client.request("GET", path)
            assert client.getresponse().read() == path.encode() * 1000
        client.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_without_sockets(identity: Identity) -> None:
    client, server = identity.client().connection(HOST), identity.server().connection()
    assert client.write(b"early") == 5
    for _ in range(3):
        for one, other in [(client, server), (server, client)]:
            data = one.bytes_to_send()
            for byte in data:
                assert other.receive_bytes(bytes([byte])) == 1
    assert not client.is_handshaking and client.cipher == server.cipher
    assert (server.pending, server.read(2), server.read(), server.read()) == (5, b"ea", b"rly", None)
    client.close()
    with pytest.raises(kuaimi.AlreadyFinalized):
        client.write(b"late")
    server.receive_bytes(client.bytes_to_send())
    assert server.peer_has_closed and server.read() == b""


def test_altered_records_are_refused(identity: Identity) -> None:
    client, server = identity.client().connection(HOST), identity.server().connection()
    for _ in range(3):
        server.receive_bytes(client.bytes_to_send())
        client.receive_bytes(server.bytes_to_send())
    client.write(b"a payment")
    record = bytearray(client.bytes_to_send())
    record[-1] ^= 1
    for _ in range(2):
        with pytest.raises(tlcp.TLCPError, match="altered"):
            server.receive_bytes(record)
    with pytest.raises(tlcp.TLCPError, match="altered"):
        server.read()
    with pytest.raises(tlcp.TLCPError, match="bad_record_mac"):
        client.receive_bytes(server.bytes_to_send())


def test_pairs_from_files(identity: Identity, tmp_path: pathlib.Path) -> None:
    _, sign, encrypt = identity.keys
    files = {"sign.crt": identity.sign.public_bytes(Encoding.PEM), "enc.crt": identity.encrypt.public_bytes(Encoding.DER)}
    for name, key in [("sign.pem", sign), ("enc.pem", encrypt)]:
        files[name] = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    names = [tmp_path / name for name in ("sign.crt", "sign.pem", "enc.crt", "enc.pem")]
    context = tlcp.TLCPContext(server_side=True)
    with pytest.raises(kuaimi.WrongPassword):
        context.load_cert_pair(*names, password=b"another")
    context.load_cert_pair(*names, password=b"a password")
    context.validation_time = NOW
    with serving(context, echo) as (plain, failures), identity.client().wrap_socket(plain, HOST) as sock:
        assert sock.peer_certificates == [identity.sign, identity.encrypt]
    assert failures == []
    with pytest.raises(kuaimi.InvalidArgument, match="keyUsage of the signing certificate"):
        context.load_cert_pair(*names[2:], *names[:2], password=b"a password")
    with pytest.raises(kuaimi.InvalidArgument, match="does not belong"):
        context.load_cert_pair(names[0], names[3], names[2], names[1], password=b"a password")


def test_wrong_arguments(identity: Identity) -> None:
    with pytest.raises(kuaimi.InvalidArgument, match="has a pair"):
        tlcp.TLCPContext(server_side=True).connection()
    with pytest.raises(kuaimi.InvalidArgument, match="for clients"):
        identity.server().connection("bank.example")
    with pytest.raises(kuaimi.InvalidArgument, match="mailbox"):
        identity.client().connection("someone@bank.example")
    client = identity.client()
    client.set_ciphers(["ECDHE_SM4_GCM_SM3"])
    with pytest.raises(kuaimi.InvalidArgument):
        client.connection(HOST)
    server = identity.server()
    server.client_auth = "sometimes"  # type: ignore[assignment]
    with pytest.raises(kuaimi.InvalidArgument, match="client_auth"):
        server.connection()
    with pytest.raises(kuaimi.InvalidArgument):
        identity.client().connection(HOST).read(-1)
