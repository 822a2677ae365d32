using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>HMAC with SM3: 32 bytes under a key of any length. An instance is for one thread at a time, the static methods are for all.</summary>
    public sealed unsafe class HmacSm3 : HMAC
    {
        /// <summary>The length of an HMAC in bytes.</summary>
        public const int HashSizeInBytes = 32;

        private HmacSm3Handle _hmac;
        private bool _begun;

        /// <summary>An HMAC under a key.</summary>
        /// <param name="key">The key, of any length; not null. It is copied.</param>
        public HmacSm3(byte[] key)
        {
            HashName = "SM3";
            HashSizeValue = HashSizeInBytes * 8;
            KeyValue = (byte[])Arguments.NotNull(key, nameof(key)).Clone();
            _hmac = Open(KeyValue);
        }

        /// <summary>The key. Reading it gives a copy. It cannot be changed in the middle of a message.</summary>
        public override byte[] Key
        {
            // The base class forgets the key when it is disposed of.
            get => (byte[])(KeyValue ?? throw new ObjectDisposedException(nameof(HmacSm3))).Clone();
            set
            {
                if (KeyValue is null)
                {
                    throw new ObjectDisposedException(nameof(HmacSm3));
                }
                var key = (byte[])Arguments.NotNull(value, nameof(value)).Clone();
                if (_begun)
                {
                    throw new CryptographicException("the key cannot be changed in the middle of a message");
                }
                var old = _hmac;
                _hmac = Open(key);
                old.Dispose();
                CryptographicOperations.ZeroMemory(KeyValue);
                KeyValue = key;
            }
        }

        /// <summary>The HMAC of some bytes.</summary>
        /// <param name="key">The key, of any length; not null.</param>
        /// <param name="source">What is authenticated; not null.</param>
        /// <returns>32 bytes.</returns>
        public static byte[] HashData(byte[] key, byte[] source) =>
            HashData(new ReadOnlySpan<byte>(Arguments.NotNull(key, nameof(key))), new ReadOnlySpan<byte>(Arguments.NotNull(source, nameof(source))));

        /// <summary>The HMAC of some bytes.</summary>
        /// <param name="key">The key, of any length.</param>
        /// <param name="source">What is authenticated.</param>
        /// <returns>32 bytes.</returns>
        public static byte[] HashData(ReadOnlySpan<byte> key, ReadOnlySpan<byte> source)
        {
            var mac = new byte[HashSizeInBytes];
            TryHashData(key, source, mac, out _);
            return mac;
        }

        /// <summary>The HMAC of some bytes, into the caller's memory.</summary>
        /// <param name="key">The key, of any length.</param>
        /// <param name="source">What is authenticated.</param>
        /// <param name="destination">At least 32 bytes.</param>
        /// <param name="bytesWritten">32, or 0 if the destination is too small.</param>
        /// <returns>False if the destination is too small.</returns>
        public static bool TryHashData(ReadOnlySpan<byte> key, ReadOnlySpan<byte> source, Span<byte> destination, out int bytesWritten)
        {
            if (destination.Length < HashSizeInBytes)
            {
                bytesWritten = 0;
                return false;
            }
            using var hmac = Open(key);
            Update(hmac, source);
            fixed (byte* mac = destination)
            {
                Failure.Check(Sm3Native.kuaimi_hmac_sm3_finish(hmac, mac));
            }
            bytesWritten = HashSizeInBytes;
            return true;
        }

        /// <summary>Compares the HMAC of some bytes with one that came from elsewhere, in constant time.</summary>
        /// <param name="key">The key, of any length.</param>
        /// <param name="source">What is authenticated.</param>
        /// <param name="hash">The HMAC that came. One of another length than 32 bytes is wrong.</param>
        /// <returns>Whether they are equal.</returns>
        public static bool VerifyData(ReadOnlySpan<byte> key, ReadOnlySpan<byte> source, ReadOnlySpan<byte> hash)
        {
            if (hash.Length != HashSizeInBytes)
            {
                return false;
            }
            using var hmac = Open(key);
            Update(hmac, source);
            fixed (byte* mac = hash)
            {
                return Failure.Verdict(Sm3Native.kuaimi_hmac_sm3_verify(hmac, mac));
            }
        }

        /// <inheritdoc/>
        public override void Initialize()
        {
            if (_begun)
            {
                // What was absorbed is forgotten when the result is taken.
                Span<byte> unused = stackalloc byte[HashSizeInBytes];
                TryHashFinal(unused, out _);
                CryptographicOperations.ZeroMemory(unused);
            }
        }

        /// <inheritdoc/>
        protected override void HashCore(byte[] rgb, int ib, int cb) => HashCore(Arguments.Segment(rgb, ib, cb, nameof(rgb)));

        /// <inheritdoc/>
        protected override void HashCore(ReadOnlySpan<byte> source)
        {
            _begun = true;
            Update(_hmac, source);
        }

        /// <inheritdoc/>
        protected override byte[] HashFinal()
        {
            var mac = new byte[HashSizeInBytes];
            TryHashFinal(mac, out _);
            return mac;
        }

        /// <inheritdoc/>
        protected override bool TryHashFinal(Span<byte> destination, out int bytesWritten)
        {
            if (destination.Length < HashSizeInBytes)
            {
                bytesWritten = 0;
                return false;
            }
            fixed (byte* mac = destination)
            {
                Failure.Check(Sm3Native.kuaimi_hmac_sm3_finish(_hmac, mac));
            }
            _begun = false;
            bytesWritten = HashSizeInBytes;
            return true;
        }

        /// <inheritdoc/>
        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                _hmac.Dispose();
            }
            // The base class wipes its copy of the key.
            base.Dispose(disposing);
        }

        private static HmacSm3Handle Open(ReadOnlySpan<byte> key)
        {
            fixed (byte* bytes = key)
            {
                Failure.Check(Sm3Native.kuaimi_hmac_sm3_new(bytes, (UIntPtr)(uint)key.Length, out var hmac));
                return hmac;
            }
        }

        private static void Update(HmacSm3Handle hmac, ReadOnlySpan<byte> source)
        {
            fixed (byte* data = source)
            {
                Failure.Check(Sm3Native.kuaimi_hmac_sm3_update(hmac, data, (UIntPtr)(uint)source.Length));
            }
        }
    }
}
