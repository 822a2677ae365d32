"""Writes the examples of the .NET pages as a program: `examples.py FOLDER`. Each example is a file as a reader copies it, within the
class and the method that C# 8 wants around it; the program compares what it prints with the comments at its lines."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[3]
PAGES = ["docs/dotnet.md", "docs/dotnet.zh-CN.md", "README.md", "README.zh-CN.md"]

RUNNER = """using System;
using System.IO;

internal static class Runner
{
    private static int failures;

    internal static void Main()
    {
%s
        Console.WriteLine($"%d examples, {failures} failed");
        Environment.Exit(failures == 0 ? 0 : 1);
    }

    private static void Run(string name, Action example, string expected)
    {
        var console = Console.Out;
        var output = new StringWriter();
        Console.SetOut(output);
        try
        {
            example();
        }
        finally
        {
            Console.SetOut(console);
        }
        if (output.ToString().Replace("\\r", string.Empty) != expected)
        {
            failures++;
            Console.WriteLine($"{name} prints\\n{output}instead of\\n{expected}");
        }
    }
}
"""


def main(folder: pathlib.Path) -> None:
    calls = []
    for page in PAGES:
        text = (ROOT / page).read_text()
        for number, block in enumerate(re.findall(r"^```csharp\n(.*?)^```$", text, re.S | re.M), 1):
            name = re.sub(r"\W", "_", f"{page}_{number}")
            usings = "".join(re.findall(r"^using [\w.]+;\n", block, re.M))
            body = re.sub(r"^using [\w.]+;\n", "", block, flags=re.M)
            (folder / f"{name}.cs").write_text(
                f"{usings}\ninternal static class {name}\n{{\n    internal static void Run()\n    {{\n{body}    }}\n}}\n"
            )
            printed = "".join(f"{line}\\n" for line in re.findall(r"Console\.WriteLine\(.*\); // (.*)", block))
            assert printed, f"{page}: example {number} prints nothing that could be compared"
            calls.append(f'        Run("{page}, example {number}", {name}.Run, "{printed}");')
    counts = {page: sum(f'"{page},' in call for call in calls) for page in PAGES}
    assert counts[PAGES[0]] == counts[PAGES[1]] > 0, f"the Chinese page has other examples: {counts}"
    (folder / "Runner.cs").write_text(RUNNER % ("\n".join(calls), len(calls)))


main(pathlib.Path(sys.argv[1]))
