// What tests say of values.

using System;
using System.Linq;

namespace Kuaimi.Tests
{
    internal static class Check
    {
        internal static void True(bool condition, string what = "the condition")
        {
            if (!condition)
            {
                throw new Exception(what + " does not hold");
            }
        }

        internal static void False(bool condition, string what = "the condition") => True(!condition, "not: " + what);

        internal static void Equal<T>(T expected, T found, string what = "")
        {
            if (!Equals(expected, found))
            {
                throw new Exception($"{what}: expected {expected}, found {found}");
            }
        }

        internal static void Bytes(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> found, string what = "")
        {
            if (!expected.SequenceEqual(found))
            {
                throw new Exception($"{what}: expected {Hex.Of(expected)}, found {Hex.Of(found)}");
            }
        }

        internal static void Zeros(ReadOnlySpan<byte> bytes)
        {
            foreach (var one in bytes)
            {
                Equal(0, one, "a byte of zeros");
            }
        }

        /// The exception, which must be exactly of this type or below it.
        internal static T Throws<T>(Action act, string what = "")
            where T : Exception
        {
            try
            {
                act();
            }
            catch (T expected)
            {
                return expected;
            }
            catch (Exception other)
            {
                throw new Exception($"{what}: expected {typeof(T).Name}, found {other}");
            }
            throw new Exception($"{what}: expected {typeof(T).Name}, found nothing");
        }

        internal static void Fails(KuaimiErrorKind kind, Action act, string what = "") => Equal(kind, Throws<KuaimiException>(act, what).Kind, what);
    }

    internal static class Hex
    {
        internal static byte[] From(string text) => Enumerable.Range(0, text.Length / 2).Select(i => Convert.ToByte(text.Substring(2 * i, 2), 16)).ToArray();

        internal static string Of(ReadOnlySpan<byte> bytes) => BitConverter.ToString(bytes.ToArray()).Replace("-", string.Empty);
    }
}
