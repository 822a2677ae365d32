using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    public sealed unsafe partial class Sm2
    {
        /// <summary>Encrypts a message with the public key.</summary>
        /// <param name="data">The message, at least one byte; not null.</param>
        /// <param name="format">How the ciphertext is written.</param>
        /// <returns>The ciphertext.</returns>
        /// <exception cref="ArgumentException">The message is empty, or the format is for decryption alone.</exception>
        public byte[] Encrypt(byte[] data, Sm2CiphertextFormat format = Sm2CiphertextFormat.Der) => Encrypt(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), format);

        /// <summary>Encrypts a message with the public key.</summary>
        /// <param name="data">The message, at least one byte.</param>
        /// <param name="format">How the ciphertext is written.</param>
        /// <returns>The ciphertext.</returns>
        /// <exception cref="ArgumentException">The message is empty, or the format is for decryption alone.</exception>
        public byte[] Encrypt(ReadOnlySpan<byte> data, Sm2CiphertextFormat format = Sm2CiphertextFormat.Der)
        {
            // A span cannot go into a closure, its address can: it is fixed as long as this method runs.
            fixed (byte* message = data)
            {
                var start = message;
                var length = (UIntPtr)(uint)data.Length;
                var key = Keys.Public;
                return Output.Array((output, written) => Sm2Native.kuaimi_sm2_encrypt(key, start, length, format, output, written));
            }
        }

        /// <summary>Decrypts a ciphertext with the private key.</summary>
        /// <param name="data">The ciphertext; not null.</param>
        /// <param name="format">How the ciphertext is written.</param>
        /// <returns>The message.</returns>
        /// <exception cref="CryptographicException">The decryption failed, for whatever reason, or there is no private key.</exception>
        public byte[] Decrypt(byte[] data, Sm2CiphertextFormat format = Sm2CiphertextFormat.Der) => Decrypt(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), format);

        /// <summary>Decrypts a ciphertext with the private key.</summary>
        /// <param name="data">The ciphertext.</param>
        /// <param name="format">How the ciphertext is written.</param>
        /// <returns>The message.</returns>
        /// <exception cref="CryptographicException">The decryption failed, for whatever reason, or there is no private key.</exception>
        public byte[] Decrypt(ReadOnlySpan<byte> data, Sm2CiphertextFormat format = Sm2CiphertextFormat.Der)
        {
            fixed (byte* ciphertext = data)
            {
                var start = ciphertext;
                var length = (UIntPtr)(uint)data.Length;
                var key = Keys.Private;
                return Output.Array((output, written) => Sm2Native.kuaimi_sm2_decrypt(key, start, length, format, output, written));
            }
        }
    }
}
