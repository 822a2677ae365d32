// Results whose length the C library says.

using System;
using System.Security.Cryptography;
using System.Text;

namespace Kuaimi.Native
{
    internal static unsafe class Output
    {
        /// A call with its buffer left open.
        internal delegate int Writer(byte* output, UIntPtr* length);

        /// A new array with the result. What is larger than the result is wiped, as it may be a secret.
        internal static byte[] Array(Writer writer)
        {
            UIntPtr length = default;
            Failure.Check(writer(null, &length));
            var result = new byte[checked((int)length)];
            // No array has an address at all if it is empty, and then the call would ask for the length again.
            byte none;
            fixed (byte* output = result)
            {
                Failure.Check(writer(output == null ? &none : output, &length));
            }
            var written = (int)length;
            if (written == result.Length)
            {
                return result;
            }
            var shorter = result.AsSpan(0, written).ToArray();
            CryptographicOperations.ZeroMemory(result);
            return shorter;
        }

        /// Into the caller's memory; false if that is too small.
        internal static bool Try(Span<byte> destination, out int written, Writer writer)
        {
            var length = (UIntPtr)(uint)destination.Length;
            byte none;
            int error;
            fixed (byte* output = destination)
            {
                error = writer(output == null ? &none : output, &length);
            }
            if (error == Failure.BufferTooSmall)
            {
                written = 0;
                return false;
            }
            Failure.Check(error);
            written = (int)length;
            return true;
        }

        /// PEM as a string. The bytes in between are wiped.
        internal static string Text(Writer writer)
        {
            var bytes = Array(writer);
            try
            {
                return Encoding.ASCII.GetString(bytes);
            }
            finally
            {
                CryptographicOperations.ZeroMemory(bytes);
            }
        }
    }
}
