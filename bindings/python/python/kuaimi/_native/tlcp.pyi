"""Connections of TLCP without input and output, which kuaimi.tlcp gives the shapes of ssl."""

from typing import final

from typing_extensions import Buffer

from .sm2 import SM2PrivateKey
from .x509 import Certificate

__all__ = ["SUITES", "Authorities", "Client", "Connection", "Pair", "Server", "Sessions"]

SUITES: list[str]

@final
class Pair:
    def __new__(
        cls, signing: tuple[Certificate, SM2PrivateKey], encrypting: tuple[Certificate, SM2PrivateKey], above: list[Certificate]
    ) -> Pair: ...

@final
class Authorities:
    def __new__(cls, anchors: list[Certificate], crls: list[bytes], revocation: str, empty_identity: bool) -> Authorities: ...
    @staticmethod
    def dangerous_anyone() -> Authorities: ...

@final
class Sessions:
    def __new__(cls, count: int, seconds: int) -> Sessions: ...

@final
class Client:
    def __new__(
        cls, authorities: Authorities, pair: Pair | None, ciphers: list[str], alpn: list[bytes], sessions: Sessions, time: int | None
    ) -> Client: ...

@final
class Server:
    def __new__(
        cls,
        authorities: tuple[Authorities, bool] | None,
        pair: Pair,
        others: list[tuple[str, Pair]],
        ciphers: list[str],
        alpn: list[bytes],
        sessions: Sessions,
        time: int | None,
    ) -> Server: ...

@final
class Connection:
    @staticmethod
    def client(config: Client, server: str) -> Connection: ...
    @staticmethod
    def server(config: Server) -> Connection: ...
    def receive(self, data: Buffer) -> int: ...
    def send(self) -> bytes: ...
    def write(self, data: Buffer) -> int: ...
    def read(self, most: int) -> bytes | None: ...
    def close(self) -> None: ...
    @property
    def pending(self) -> int: ...
    @property
    def is_handshaking(self) -> bool: ...
    @property
    def peer_has_closed(self) -> bool: ...
    @property
    def is_truncated(self) -> bool: ...
    @property
    def is_resumed(self) -> bool: ...
    @property
    def suite(self) -> str | None: ...
    @property
    def alpn(self) -> bytes | None: ...
    @property
    def server_name(self) -> str | None: ...
    @property
    def peer(self) -> list[bytes]: ...
