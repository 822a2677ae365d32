// Runs the tests: methods with [Test]. `Kuaimi.Tests [WORD…]` runs those whose name has one of the words.

using System;
using System.Diagnostics;
using System.Linq;
using System.Reflection;

namespace Kuaimi.Tests
{
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class TestAttribute : Attribute
    {
    }

    /// A test that cannot run here, and why.
    internal sealed class SkippedException : Exception
    {
        internal SkippedException(string reason)
            : base(reason)
        {
        }
    }

    internal static class Program
    {
        private static int Main(string[] words)
        {
            var tests = typeof(Program).Assembly.GetTypes()
                .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public))
                .Where(method => method.GetCustomAttribute<TestAttribute>() != null)
                .Select(method => (Name: method.DeclaringType!.Name + "." + method.Name, Run: (Action)method.CreateDelegate(typeof(Action))))
                .Where(test => words.Length == 0 || words.Any(word => test.Name.Contains(word, StringComparison.OrdinalIgnoreCase)))
                .OrderBy(test => test.Name, StringComparer.Ordinal)
                .ToList();
            int passed = 0, failed = 0, skipped = 0;
            Console.WriteLine($"libkuaimi {KuaimiLibrary.Version}, {KuaimiLibrary.Backend}; {System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription}");
            foreach (var (name, run) in tests)
            {
                var clock = Stopwatch.StartNew();
                try
                {
                    run();
                    passed++;
                    if (clock.ElapsedMilliseconds > 1000)
                    {
                        Console.WriteLine($"{name}: {clock.Elapsed.TotalSeconds:F1} s");
                    }
                }
                catch (SkippedException reason)
                {
                    skipped++;
                    Console.WriteLine($"{name}: skipped: {reason.Message}");
                }
                catch (Exception failure)
                {
                    failed++;
                    Console.WriteLine($"{name}: FAILED: {failure}");
                }
            }
            Console.WriteLine($"{passed} passed, {failed} failed, {skipped} skipped");
            return failed == 0 && passed > 0 ? 0 : 1;
        }
    }
}
