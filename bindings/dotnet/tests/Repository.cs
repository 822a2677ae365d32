// The repository's files, and programs.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace Kuaimi.Tests
{
    internal static class Repository
    {
        internal static string Root { get; } = FindRoot();

        internal static JsonElement Vectors(string name) => JsonDocument.Parse(File.ReadAllBytes(Path.Combine(Root, "vectors", name + ".json"))).RootElement;

        internal static byte[] Bytes(this JsonElement element, string name) => Hex.From(element.GetProperty(name).GetString()!);

        internal static string Text(this JsonElement element, string name) => element.GetProperty(name).GetString()!;

        internal static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

        private static string FindRoot()
        {
            for (string? folder = AppContext.BaseDirectory; folder != null; folder = Path.GetDirectoryName(folder))
            {
                if (Directory.Exists(Path.Combine(folder, "vectors")) && File.Exists(Path.Combine(folder, "Makefile")))
                {
                    return folder;
                }
            }
            throw new InvalidOperationException("the tests must lie in the repository");
        }
    }

    /// A folder for the files of one test.
    internal sealed class Scratch : IDisposable
    {
        internal Scratch()
        {
            Folder = Path.Combine(Path.GetTempPath(), "kuaimi-dotnet-" + Guid.NewGuid());
            Directory.CreateDirectory(Folder);
        }

        internal string Folder { get; }

        public void Dispose() => Directory.Delete(Folder, recursive: true);

        internal string Write(string name, byte[] content)
        {
            var path = Path.Combine(Folder, name);
            File.WriteAllBytes(path, content);
            return path;
        }

        internal string Write(string name, string content) => Write(name, Encoding.UTF8.GetBytes(content));

        internal byte[] Read(string name) => File.ReadAllBytes(Path.Combine(Folder, name));

        /// Runs a program in the folder; its output, or null if it fails.
        internal byte[]? Try(string program, params string[] arguments)
        {
            var start = new ProcessStartInfo(program)
            {
                WorkingDirectory = Folder,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            foreach (var argument in arguments)
            {
                start.ArgumentList.Add(argument);
            }
            // .NET's own libssl is not the program's.
            start.Environment.Remove("LD_LIBRARY_PATH");
            using var process = Process.Start(start)!;
            Errors = string.Empty;
            process.ErrorDataReceived += (sender, line) => Errors += line.Data + "\n";
            process.BeginErrorReadLine();
            using var output = new MemoryStream();
            process.StandardOutput.BaseStream.CopyTo(output);
            process.WaitForExit();
            return process.ExitCode == 0 ? output.ToArray() : null;
        }

        internal string Errors { get; private set; } = string.Empty;

        internal byte[] Run(string program, params string[] arguments) =>
            Try(program, arguments) ?? throw new Exception($"{program} {string.Join(' ', arguments)} fails: {Errors}");
    }
}
