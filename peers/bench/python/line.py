"""The protocol of ../README.md for programs in Python."""

import sys
import time

ID = b"1234567812345678"
IDENTITY = b"alice@example.com"


def serve(version, signature, ciphertext, operations):
    """Answers requests until the input ends. `operations`: from a name to a function of the inputs that gives the operation that is
    timed, which in turn gives its result as bytes or as a truth."""
    inputs = {}

    def answer(words):
        match words:
            case ["hello"]:
                return f"version={version} signature={signature} ciphertext={ciphertext} operations={','.join(operations)}"
            case ["set", name, digits]:
                inputs[name] = bytes.fromhex(digits)
                return ""
            case ["fill", name, length]:
                inputs[name] = b"\x5a" * int(length)
                return ""
            case ["make", operation]:
                result = operations[operation](inputs)()
                return (bytes([result]) if isinstance(result, bool) else result).hex()
            case ["run", operation, count]:
                once = operations[operation](inputs)
                begun = time.perf_counter_ns()
                for _ in range(int(count)):
                    once()
                return str(time.perf_counter_ns() - begun)
        raise ValueError("unknown request")

    for line in sys.stdin:
        try:
            print("ok " + answer(line.split()), flush=True)
        except Exception as error:
            print(f"error {type(error).__name__}: {error}".replace("\n", " "), flush=True)
