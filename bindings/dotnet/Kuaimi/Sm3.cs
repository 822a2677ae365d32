using System;
using System.IO;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>The hash SM3 (GB/T 32905-2016): 32 bytes. An instance is for one thread at a time, the static methods are for all.</summary>
    public sealed unsafe class Sm3 : HashAlgorithm
    {
        /// <summary>The length of a digest in bytes.</summary>
        public const int HashSizeInBytes = 32;

        private readonly Sm3Handle _hash;
        private bool _begun;

        /// <summary>A hash that has absorbed nothing.</summary>
        public Sm3()
        {
            HashSizeValue = HashSizeInBytes * 8;
            Failure.Check(Sm3Native.kuaimi_sm3_new(out _hash));
        }

        /// <summary>A hash that has absorbed nothing.</summary>
        /// <returns>The new hash.</returns>
        public static new Sm3 Create() => new Sm3();

        /// <summary>The digest of some bytes.</summary>
        /// <param name="source">What is hashed; not null.</param>
        /// <returns>32 bytes.</returns>
        public static byte[] HashData(byte[] source) => HashData(new ReadOnlySpan<byte>(Arguments.NotNull(source, nameof(source))));

        /// <summary>The digest of some bytes.</summary>
        /// <param name="source">What is hashed.</param>
        /// <returns>32 bytes.</returns>
        public static byte[] HashData(ReadOnlySpan<byte> source)
        {
            var digest = new byte[HashSizeInBytes];
            HashData(source, digest);
            return digest;
        }

        /// <summary>The digest of some bytes, into the caller's memory.</summary>
        /// <param name="source">What is hashed.</param>
        /// <param name="destination">At least 32 bytes.</param>
        /// <returns>32, the number of bytes written.</returns>
        /// <exception cref="ArgumentException">The destination is too small.</exception>
        public static int HashData(ReadOnlySpan<byte> source, Span<byte> destination)
        {
            if (!TryHashData(source, destination, out var written))
            {
                throw new ArgumentException("a digest has 32 bytes: the destination is too small", nameof(destination));
            }
            return written;
        }

        /// <summary>The digest of some bytes, into the caller's memory.</summary>
        /// <param name="source">What is hashed.</param>
        /// <param name="destination">At least 32 bytes.</param>
        /// <param name="bytesWritten">32, or 0 if the destination is too small.</param>
        /// <returns>False if the destination is too small.</returns>
        public static bool TryHashData(ReadOnlySpan<byte> source, Span<byte> destination, out int bytesWritten)
        {
            if (destination.Length < HashSizeInBytes)
            {
                bytesWritten = 0;
                return false;
            }
            fixed (byte* data = source)
            fixed (byte* digest = destination)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_digest(data, (UIntPtr)(uint)source.Length, digest));
            }
            bytesWritten = HashSizeInBytes;
            return true;
        }

        /// <summary>The digest of a stream, from where it stands to its end.</summary>
        /// <param name="source">What is hashed; not null.</param>
        /// <returns>32 bytes.</returns>
        public static byte[] HashData(Stream source)
        {
            using var hash = new Sm3();
            return hash.ComputeHash(Arguments.NotNull(source, nameof(source)));
        }

        /// <summary>Fills memory with what the key derivation function (GB/T 32918.4-2016, 5.4.3) gives for a secret.</summary>
        /// <param name="secret">The secret, <c>Z</c> in the standard.</param>
        /// <param name="destination">What is filled: the length of the key that is needed.</param>
        public static void DeriveKey(ReadOnlySpan<byte> secret, Span<byte> destination)
        {
            fixed (byte* z = secret)
            fixed (byte* key = destination)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_kdf(z, (UIntPtr)(uint)secret.Length, key, (UIntPtr)(uint)destination.Length));
            }
        }

        /// <inheritdoc/>
        public override void Initialize()
        {
            if (_begun)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_reset(_hash));
                _begun = false;
            }
        }

        /// <inheritdoc/>
        protected override void HashCore(byte[] array, int ibStart, int cbSize) => HashCore(Arguments.Segment(array, ibStart, cbSize, nameof(array)));

        /// <inheritdoc/>
        protected override void HashCore(ReadOnlySpan<byte> source)
        {
            _begun = true;
            fixed (byte* data = source)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_update(_hash, data, (UIntPtr)(uint)source.Length));
            }
        }

        /// <inheritdoc/>
        protected override byte[] HashFinal()
        {
            var digest = new byte[HashSizeInBytes];
            TryHashFinal(digest, out _);
            return digest;
        }

        /// <inheritdoc/>
        protected override bool TryHashFinal(Span<byte> destination, out int bytesWritten)
        {
            if (destination.Length < HashSizeInBytes)
            {
                bytesWritten = 0;
                return false;
            }
            fixed (byte* digest = destination)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_finish(_hash, digest));
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
                _hash.Dispose();
            }
            base.Dispose(disposing);
        }
    }
}
