// What a call costs in .NET: the package, in turn with bench.c, which calls the C library with the same items. `Kuaimi.Bench [C PROGRAM]`:
// the program prints lines of a name and nanoseconds. Medians of eleven rounds.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

namespace Kuaimi.Bench
{
    internal static class Program
    {
        private const int Rounds = 11;

        private static void Main(string[] arguments)
        {
            var message = new byte[64];
            using var key = Sm2.Create();
            key.ImportRawPrivateKey(Enumerable.Repeat((byte)0x11, 32).ToArray());
            key.Prepare();
            var signature = key.SignData(message);
            byte[] place = new byte[72], digest = new byte[32], kibibyte = new byte[1024], ciphertext = new byte[1024], nonce = new byte[12], tag = new byte[16];
            using var gcm = new Sm4Gcm(new byte[16]);
            var items = Enumerable.Repeat(new Sm2VerifyItem(key, message, signature), 1000).ToArray();
            var verdicts = new bool[items.Length];
            var operations = new (string Name, int Items, Action Run)[]
            {
                ("sign", 1, () => key.TrySignData(message, place, out _)),
                ("verify", 1, () => key.VerifyData(message, signature)),
                ("verify-batch-1000", 1000, () => Sm2.VerifyBatch(items, verdicts)),
                ("sm3-64", 1, () => Sm3.TryHashData(message, digest, out _)),
                ("gcm-seal-1024", 1, () => gcm.Encrypt(nonce, kibibyte, ciphertext, tag)),
            };
            var ours = operations.ToDictionary(one => one.Name, _ => new List<double>());
            var theirs = operations.ToDictionary(one => one.Name, _ => new List<double>());
            for (var round = 0; round < Rounds; round++)
            {
                foreach (var (name, count, run) in operations)
                {
                    ours[name].Add(Time(run) / count);
                }
                if (arguments.Length > 0)
                {
                    foreach (var (name, time) in InC(arguments[0]))
                    {
                        theirs[name].Add(time);
                    }
                }
            }
            Console.WriteLine($"{"nanoseconds",-20}{".NET",10}{"C",10}{"more",10}");
            foreach (var (name, _, _) in operations)
            {
                double dotnet = Median(ours[name]), c = Median(theirs[name]);
                Console.WriteLine($"{name,-20}{dotnet,10:F0}{c,10:F0}{dotnet - c,10:F0}");
            }
            Console.WriteLine($"{"verdicts",-20}{verdicts.Count(one => one),10}");
        }

        private static double Time(Action run)
        {
            for (var i = 0; i < 20; i++)
            {
                run();
            }
            var clock = Stopwatch.StartNew();
            var count = 0;
            while (clock.ElapsedMilliseconds < 100)
            {
                for (var i = 0; i < 20; i++)
                {
                    run();
                }
                count += 20;
            }
            return clock.Elapsed.TotalMilliseconds * 1e6 / count;
        }

        private static IEnumerable<(string Name, double Time)> InC(string program)
        {
            using var process = Process.Start(new ProcessStartInfo(program) { RedirectStandardOutput = true })!;
            var text = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')).Select(line => (line[0], double.Parse(line[1])));
        }

        private static double Median(List<double> times) => times.Count == 0 ? double.NaN : times.OrderBy(one => one).ElementAt(times.Count / 2);
    }
}
