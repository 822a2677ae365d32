using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A user's public key for SM9 encryption: an identity under a master public key. Threads may share it.</summary>
    public sealed unsafe class Sm9EncryptionKey : IDisposable
    {
        internal Sm9EncryptionKey(Sm9EncryptionKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9EncryptionKeyHandle Handle { get; }

        private const int PointLength = 65;

        /// <summary>Makes the table of the key now, 52 KiB, and of its master public key what is needed with it, 66 KiB: encryption is faster with both.</summary>
        public void Prepare() => Failure.Check(Sm9Native.kuaimi_sm9_encryption_key_prepare(Handle));

        /// <summary>Encrypts a message.</summary>
        /// <param name="data">The message, at least one byte; not null.</param>
        /// <param name="options">How; null means a key stream, the standard's authentication, DER.</param>
        /// <returns>The ciphertext.</returns>
        /// <exception cref="ArgumentException">The message is empty.</exception>
        public byte[] Encrypt(byte[] data, Sm9EncryptionOptions? options = null) => Encrypt(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), options);

        /// <summary>Encrypts a message.</summary>
        /// <param name="data">The message, at least one byte.</param>
        /// <param name="options">How; null means a key stream, the standard's authentication, DER.</param>
        /// <returns>The ciphertext.</returns>
        /// <exception cref="ArgumentException">The message is empty.</exception>
        public byte[] Encrypt(ReadOnlySpan<byte> data, Sm9EncryptionOptions? options = null)
        {
            fixed (byte* message = data)
            {
                var start = message;
                var length = (UIntPtr)(uint)data.Length;
                return Output.Array((output, written) =>
                {
                    var chosen = Sm9EncryptionOptions.Of(options);
                    return Sm9Native.kuaimi_sm9_encrypt(Handle, start, length, &chosen, output, written);
                });
            }
        }

        /// <summary>A fresh key, and what the user needs to get the same key.</summary>
        /// <param name="keyLength">The length of the key in bytes.</param>
        /// <param name="encapsulation">The point for the user, 65 bytes.</param>
        /// <returns>The key. Wipe it after use.</returns>
        public byte[] Encapsulate(int keyLength, out byte[] encapsulation)
        {
            Arguments.Positive(keyLength, nameof(keyLength));
            var key = new byte[keyLength];
            encapsulation = new byte[PointLength];
            fixed (byte* derived = key)
            fixed (byte* point = encapsulation)
            {
                Failure.Check(Sm9Native.kuaimi_sm9_encapsulate(Handle, derived, (UIntPtr)(uint)keyLength, point));
            }
            return key;
        }

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
