// Text on its way to the C library, in memory that does not move and is wiped.

using System;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace Kuaimi.Native
{
    internal sealed class Utf8 : IDisposable
    {
        private readonly byte[] _bytes;
        private readonly int _length;
        private GCHandle _pin;

        internal Utf8(ReadOnlySpan<char> text)
        {
            // Pinned before anything is in it: the collector leaves no copy behind.
            _bytes = new byte[Encoding.UTF8.GetMaxByteCount(text.Length)];
            _pin = GCHandle.Alloc(_bytes, GCHandleType.Pinned);
            _length = Encoding.UTF8.GetBytes(text, _bytes);
        }

        internal ReadOnlySpan<byte> Span => new ReadOnlySpan<byte>(_bytes, 0, _length);

        public void Dispose()
        {
            CryptographicOperations.ZeroMemory(_bytes);
            if (_pin.IsAllocated)
            {
                _pin.Free();
            }
        }

        /// An identity's bytes, which are public.
        internal static byte[] Identity(string identity, string name)
        {
            if (identity is null)
            {
                throw new ArgumentNullException(name);
            }
            return Encoding.UTF8.GetBytes(identity);
        }
    }
}
