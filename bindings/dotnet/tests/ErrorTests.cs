using System;
using System.IO;
using System.Linq;

namespace Kuaimi.Tests
{
    internal static class ErrorTests
    {
        /// docs/errors.md says which exception each kind is.
        [Test]
        internal static void Table()
        {
            static string[] Cells(string line) => line.Trim('|').Split('|').Select(cell => cell.Trim().Replace("`", string.Empty)).ToArray();
            var lines = File.ReadAllLines(Path.Combine(Repository.Root, "docs/errors.md")).SkipWhile(line => !line.StartsWith("| kind |", StringComparison.Ordinal)).ToList();
            var head = Cells(lines[0]);
            int c = Array.IndexOf(head, "C"), dotnet = Array.IndexOf(head, ".NET");
            Check.True(dotnet > 0, "there is a column for .NET");
            var rows = lines.Skip(2).TakeWhile(line => line.StartsWith('|')).Select(Cells).ToList();
            Check.True(rows.Count > 40, "there are rows");
            foreach (var row in rows)
            {
                var number = int.Parse(row[c].Split(' ')[0]);
                var name = number == (int)KuaimiErrorKind.Internal ? KuaimiErrorKind.Internal.ToString() : row[0];
                Check.Equal(name, ((KuaimiErrorKind)number).ToString(), "the name of a kind");
                // The matching that all failures of the C library go through.
                var failure = Native.Failure.Of(number);
                Check.Equal(row[dotnet], failure.GetType().Name, row[0]);
                Check.True(failure.Message.Length > 10, "there is a sentence");
                if (failure is KuaimiException own)
                {
                    Check.Equal((KuaimiErrorKind)number, own.Kind);
                }
            }
        }
    }
}
