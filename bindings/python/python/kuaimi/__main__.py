"""python -m kuaimi: keys, signatures and the speed of this machine, for what one does first. The program kuaimi does more."""

import argparse
import getpass
import os
import pathlib
import sys
import time
from collections.abc import Callable, Sequence

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9
from kuaimi.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat, PublicFormat

USAGE = """examples:
  python -m kuaimi keygen --out alice.pem --pubout alice.pub
  python -m kuaimi sign   --key alice.pem --out report.sig report.pdf
  python -m kuaimi verify --key alice.pub --signature report.sig report.pdf
  python -m kuaimi speed"""


class Failure(Exception):
    """What the user is told, without a traceback."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments, or the process's; returns its exit status: 0, 1 for a failure, 2 for wrong usage.

    >>> main(["speed", "--seconds", "0.001", "sm3"])  # doctest: +ELLIPSIS
    kuaimi ...
    0
    """
    options = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
    except (Failure, kuaimi.Error) as error:
        print(f"error: {error}", file=sys.stderr)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"error: {name}{error.strerror or error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    else:
        return 0
    return 1


def parser() -> argparse.ArgumentParser:
    """The arguments that are understood.

    >>> parser().parse_args(["speed"]).command
    'speed'
    """
    formatter = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(
        prog="python -m kuaimi",
        description="SM2 keys and signatures, and the speed of this machine.",
        epilog=USAGE,
        formatter_class=formatter,
    )
    top.add_argument("--version", action="version", version=f"kuaimi {kuaimi.__version__} ({kuaimi.backend()})")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    keygen = commands.add_parser("keygen", help="make an SM2 key pair")
    keygen.add_argument("--out", required=True, type=pathlib.Path, metavar="FILE", help="the private key, PKCS#8 in PEM; not replaced")
    keygen.add_argument("--pubout", type=pathlib.Path, metavar="FILE", help="the public key in PEM")
    keygen.add_argument("--encrypt", action="store_true", help="ask for a password, and encrypt the private key under it")
    keygen.set_defaults(run=run_keygen)

    sign = commands.add_parser("sign", help="sign a file with SM2")
    sign.add_argument("--key", required=True, type=pathlib.Path, metavar="FILE", help="the private key")
    sign.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the signature; without it, hexadecimal on standard output")
    sign.add_argument("--form", choices=["der", "raw"], default="der", help="the form of the signature (default: der)")

    verify = commands.add_parser("verify", help="verify a signature of SM2")
    verify.add_argument("--key", required=True, type=pathlib.Path, metavar="FILE", help="the public key, or a certificate")
    verify.add_argument("--signature", required=True, type=pathlib.Path, metavar="FILE", help="the signature, DER or raw, bytes or hexadecimal")
    for command, run in ((sign, run_sign), (verify, run_verify)):
        command.add_argument("--id", default="1234567812345678", metavar="TEXT", help="the signer's identity (default: 1234567812345678)")
        command.add_argument("file", metavar="FILE", help="the file, or - for standard input")
        command.set_defaults(run=run)

    speed = commands.add_parser("speed", help="operations a second on this machine, one thread")
    speed.add_argument("--seconds", type=float, default=0.5, help="for each operation (default: 0.5)")
    speed.add_argument("algorithm", nargs="*", help="sm2, sm3, sm4, sm9 (default: all)")
    speed.set_defaults(run=run_speed)
    return top


def write_new(path: pathlib.Path, data: bytes, mode: int) -> None:
    """Writes a file that must not be there."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise Failure(f"{path} is there already, and is not overwritten: choose another name") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def password(prompt: str) -> bytes:
    """A password from the terminal, or the first line of standard input."""
    if sys.stdin.isatty():
        return getpass.getpass(prompt, sys.stderr).encode()
    return sys.stdin.buffer.readline().rstrip(b"\r\n")


def run_keygen(options: argparse.Namespace) -> None:
    """Makes a key pair."""
    encryption: NoEncryption | BestAvailableEncryption = NoEncryption()
    if options.encrypt:
        chosen = password("password for the private key: ")
        if sys.stdin.isatty() and password("again: ") != chosen:
            raise Failure("the passwords differ")
        encryption = BestAvailableEncryption(chosen)
    key = sm2.SM2PrivateKey.generate()
    write_new(options.out, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption), 0o600)
    if options.pubout:
        write_new(options.pubout, key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), 0o644)


def run_sign(options: argparse.Namespace) -> None:
    """Signs a file."""
    data = options.key.read_bytes()
    try:
        key = sm2.load_private_key(data)
    except kuaimi.PasswordNeeded:
        if options.file == "-" and not sys.stdin.isatty():
            raise Failure("the password and the file cannot both come from standard input: name the file") from None
        key = sm2.load_private_key(data, password(f"password for {options.key}: "))
    source = sys.stdin.buffer if options.file == "-" else options.file
    signature = sm2.sign_file(key, source, options.id, form=options.form)
    if options.out:
        write_new(options.out, signature, 0o666)
    else:
        print(signature.hex())


def run_verify(options: argparse.Namespace) -> None:
    """Verifies a signature."""
    key = sm2.load_public_key(options.key.read_bytes())
    signature = options.signature.read_bytes()
    try:
        signature = bytes.fromhex(signature.decode("ascii"))
    except ValueError:
        pass  # It is bytes.
    source = sys.stdin.buffer if options.file == "-" else options.file
    sm2.verify_file(key, signature, source, options.id)
    print("the signature is valid")


def run_speed(options: argparse.Namespace) -> None:
    """Measures."""
    wanted = options.algorithm or ["sm2", "sm3", "sm4", "sm9"]
    for name in wanted:
        if name not in ("sm2", "sm3", "sm4", "sm9"):
            raise Failure(f"there is no algorithm {name}: sm2, sm3, sm4, sm9")
    print(f"kuaimi {kuaimi.__version__} on {kuaimi.backend()}, Python {sys.version.split()[0]}, one thread")
    for name, operation, call, count, unit in operations():
        if name in wanted:
            rate = count * measure(call, options.seconds)
            shown = f"{rate / 1e6:,.0f} MB/s" if unit == "bytes" else f"{rate:,.0f} /s"
            print(f"{name}  {operation:28}{shown:>16}")


def measure(call: Callable[[], object], seconds: float) -> float:
    """Calls a second."""
    call()
    calls, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds or not calls:
        call()
        calls += 1
    return calls / took if took else 0.0


Operation = tuple[str, str, Callable[[], object], int, str]


def operations() -> list[Operation]:
    """What is measured: the algorithm, the operation, a call, and how much it does of what."""
    key, message, data = sm2.SM2PrivateKey.generate(), bytes(32), bytes(1 << 20)
    public_key, many = key.public_key(), 1000
    signature, ciphertext = key.sign(message), public_key.encrypt(message)
    messages = [row.to_bytes(32, "big") for row in range(many)]
    signatures = sm2.sign_batch(key, messages)
    aead = sm4.SM4GCM(bytes(16))
    master, centre = sm9.MasterSigningKey.generate(), sm9.MasterEncryptionKey.generate()
    alice, bob = master.extract("alice"), centre.extract("bob")
    signed, sealed = alice.sign(message), bob.encryption_key().encrypt(message)
    verifier, recipient = alice.verifying_key(), bob.encryption_key()
    return [
        ("sm2", "sign", lambda: key.sign(message), 1, "calls"),
        ("sm2", "verify", lambda: public_key.verify(signature, message), 1, "calls"),
        ("sm2", "encrypt", lambda: public_key.encrypt(message), 1, "calls"),
        ("sm2", "decrypt", lambda: key.decrypt(ciphertext), 1, "calls"),
        ("sm2", "sign_batch of 1000", lambda: sm2.sign_batch(key, messages, threads=1), many, "calls"),
        ("sm2", "verify_batch of 1000", lambda: sm2.verify_batch(public_key, messages, signatures, threads=1), many, "calls"),
        ("sm3", "digest of 32 bytes", lambda: sm3.digest(message), 1, "calls"),
        ("sm3", "digest of 1 MiB", lambda: sm3.digest(data), len(data), "bytes"),
        ("sm4", "GCM, 1 MiB", lambda: aead.encrypt(bytes(12), data), len(data), "bytes"),
        ("sm4", "CTR, 1 MiB", lambda: sm4.encrypt(bytes(16), sm4.CTR(bytes(16)), data), len(data), "bytes"),
        ("sm9", "sign", lambda: alice.sign(message), 1, "calls"),
        ("sm9", "verify", lambda: verifier.verify(signed, message), 1, "calls"),
        ("sm9", "encrypt", lambda: recipient.encrypt(message), 1, "calls"),
        ("sm9", "decrypt", lambda: bob.decrypt(sealed), 1, "calls"),
    ]


if __name__ == "__main__":
    sys.exit(main())
