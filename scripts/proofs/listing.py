"""The instructions and the constants of a compiled program, as objdump and readelf show them."""

import re
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Instruction:
    """An instruction: its address, the name of the operation, and the operands as text."""

    address: int
    operation: str
    operands: tuple

    def __str__(self):
        return f"{self.address:x}: {self.operation} {', '.join(self.operands)}"


def split_operands(text):
    """Operands are separated by commas outside of brackets and braces."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return tuple([*parts, part.strip()] if part.strip() else parts)


class Program:
    """A program: its functions by name, its instructions by address, and the bytes that are loaded."""

    def __init__(self, path, prefix=""):
        def tool(name, *arguments):
            done = subprocess.run([prefix + name, *arguments, path], check=True, capture_output=True, text=True)
            return done.stdout.splitlines()

        self.functions, self.instructions, self.following = {}, {}, {}
        self.intel = prefix == ""
        style = ["-M", "intel"] if self.intel else []
        previous = None
        for line in tool("objdump", "-d", "-C", "--no-show-raw-insn", "-w", *style):
            if symbol := re.match(r"([0-9a-f]+) <(.*)>:$", line):
                self.functions[symbol[2]] = int(symbol[1], 16)
            elif match := re.match(r"\s+([0-9a-f]+):\s+(\S+)\s*(.*)", line):
                address = int(match[1], 16)
                text = re.split(r"\s+#\s|\s*//", match[3])[0]
                self.instructions[address] = Instruction(address, match[2], split_operands(text))
                if previous is not None:
                    self.following[previous] = address
                previous = address
        self.data = []
        with open(path, "rb") as file:
            image = file.read()
        for line in tool("readelf", "-lW"):
            if match := re.match(r"\s+LOAD\s+(0x\w+)\s+(0x\w+)\s+0x\w+\s+(0x\w+)\s+0x\w+\s+(.{3})", line):
                offset, address, size = (int(number, 16) for number in match.groups()[:3])
                self.data.append((address, image[offset : offset + size], "W" in match[4]))
        # Addresses that the loader writes.
        self.relocations = {}
        for line in tool("readelf", "-rW"):
            if match := re.match(r"([0-9a-f]+)\s+[0-9a-f]+\s+R_\w+_RELATIVE\s+([0-9a-f]+)", line):
                self.relocations[int(match[1], 16)] = int(match[2], 16)
        self.relocated = tool("readelf", "-lW")
        self.read_only_after_loading = next(
            (int(m[1], 16), int(m[2], 16))
            for line in self.relocated
            if (m := re.match(r"\s+GNU_RELRO\s+0x\w+\s+(0x\w+)\s+0x\w+\s+0x\w+\s+(0x\w+)", line))
        )

    def word(self, address):
        """A 64-bit constant of the program."""
        start, size = self.read_only_after_loading
        for base, data, writable in self.data:
            if base <= address and address + 8 <= base + len(data):
                if writable and not start <= address < start + size:
                    raise LookupError(f"the word at {address:x} may change")
                return int.from_bytes(data[address - base :][:8], "little")
        raise LookupError(f"no constant at {address:x}")
