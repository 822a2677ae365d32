using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>SM4 in CCM, authenticated encryption for protocols that require it, with the shape of <see cref="AesCcm"/>; <see cref="Sm4Gcm"/> is faster. Threads may share an instance.</summary>
    public sealed unsafe class Sm4Ccm : IDisposable
    {
        private readonly Sm4CcmHandle _cipher;

        /// <summary>A cipher with a key.</summary>
        /// <param name="key">16 bytes; not null.</param>
        /// <exception cref="CryptographicException">The key has another length.</exception>
        public Sm4Ccm(byte[] key)
            : this(new ReadOnlySpan<byte>(Arguments.NotNull(key, nameof(key))))
        {
        }

        /// <summary>A cipher with a key.</summary>
        /// <param name="key">16 bytes.</param>
        /// <exception cref="CryptographicException">The key has another length.</exception>
        public Sm4Ccm(ReadOnlySpan<byte> key)
        {
            Arguments.Sm4Key(key);
            fixed (byte* bytes = key)
            {
                Failure.Check(Sm4Native.kuaimi_sm4_ccm_new(bytes, out _cipher));
            }
        }

        /// <summary>The lengths of nonces in bytes: 7 to 13. The longer the nonce, the shorter the longest message: below 16 MiB with 12.</summary>
        public static KeySizes NonceByteSizes => new KeySizes(7, 13, 1);

        /// <summary>The lengths of tags in bytes: 4, 6, 8, 10, 12, 14 or 16. Take 16 unless a protocol says otherwise.</summary>
        public static KeySizes TagByteSizes => new KeySizes(4, 16, 2);

        /// <summary>Encrypts a message. <b>Never use a nonce twice with a key.</b></summary>
        /// <param name="nonce">The nonce, 7 to 13 bytes; not null.</param>
        /// <param name="plaintext">The message; not null.</param>
        /// <param name="ciphertext">As many bytes as the message; not null.</param>
        /// <param name="tag">4 to 16 bytes that are written, an even number; not null.</param>
        /// <param name="associatedData">What is authenticated beside the message, or null.</param>
        public void Encrypt(byte[] nonce, byte[] plaintext, byte[] ciphertext, byte[] tag, byte[]? associatedData = null) =>
            Encrypt(
                new ReadOnlySpan<byte>(Arguments.NotNull(nonce, nameof(nonce))),
                new ReadOnlySpan<byte>(Arguments.NotNull(plaintext, nameof(plaintext))),
                new Span<byte>(Arguments.NotNull(ciphertext, nameof(ciphertext))),
                new Span<byte>(Arguments.NotNull(tag, nameof(tag))),
                new ReadOnlySpan<byte>(associatedData));

        /// <summary>Encrypts a message. <b>Never use a nonce twice with a key.</b></summary>
        /// <param name="nonce">The nonce, 7 to 13 bytes.</param>
        /// <param name="plaintext">The message.</param>
        /// <param name="ciphertext">As many bytes as the message; the same memory or other memory.</param>
        /// <param name="tag">4 to 16 bytes that are written, an even number.</param>
        /// <param name="associatedData">What is authenticated beside the message.</param>
        /// <exception cref="ArgumentException">A length is wrong, or the arguments overlap in part.</exception>
        public void Encrypt(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> plaintext, Span<byte> ciphertext, Span<byte> tag, ReadOnlySpan<byte> associatedData = default)
        {
            Arguments.Sealed(plaintext, ciphertext, tag);
            int error;
            fixed (byte* nonceBytes = nonce)
            fixed (byte* associated = associatedData)
            fixed (byte* data = plaintext)
            fixed (byte* output = ciphertext)
            fixed (byte* tagBytes = tag)
            {
                error = Sm4Native.kuaimi_sm4_ccm_seal(
                    _cipher, nonceBytes, (UIntPtr)(uint)nonce.Length, associated, (UIntPtr)(uint)associatedData.Length, data, (UIntPtr)(uint)plaintext.Length, output, tagBytes, (UIntPtr)(uint)tag.Length);
            }
            if (error != Failure.Ok)
            {
                // The C library leaves a copy of the plaintext.
                if (!plaintext.Overlaps(ciphertext))
                {
                    CryptographicOperations.ZeroMemory(ciphertext);
                }
                throw Failure.Of(error);
            }
        }

        /// <summary>Decrypts a message if its tag is right.</summary>
        /// <param name="nonce">The nonce of the encryption; not null.</param>
        /// <param name="ciphertext">What was encrypted; not null.</param>
        /// <param name="tag">Its tag. The protocol, and not the sender, must say how long it is; not null.</param>
        /// <param name="plaintext">As many bytes as the ciphertext; not null. Zeros if the decryption fails.</param>
        /// <param name="associatedData">What was authenticated beside the message, or null.</param>
        /// <exception cref="CryptographicException">Another key, nonce or associated data, or altered data.</exception>
        public void Decrypt(byte[] nonce, byte[] ciphertext, byte[] tag, byte[] plaintext, byte[]? associatedData = null) =>
            Decrypt(
                new ReadOnlySpan<byte>(Arguments.NotNull(nonce, nameof(nonce))),
                new ReadOnlySpan<byte>(Arguments.NotNull(ciphertext, nameof(ciphertext))),
                new ReadOnlySpan<byte>(Arguments.NotNull(tag, nameof(tag))),
                new Span<byte>(Arguments.NotNull(plaintext, nameof(plaintext))),
                new ReadOnlySpan<byte>(associatedData));

        /// <summary>Decrypts a message if its tag is right.</summary>
        /// <param name="nonce">The nonce of the encryption.</param>
        /// <param name="ciphertext">What was encrypted.</param>
        /// <param name="tag">Its tag. The protocol, and not the sender, must say how long it is.</param>
        /// <param name="plaintext">As many bytes as the ciphertext; the same memory or other memory. Zeros if the decryption fails.</param>
        /// <param name="associatedData">What was authenticated beside the message.</param>
        /// <exception cref="CryptographicException">Another key, nonce or associated data, or altered data.</exception>
        /// <exception cref="ArgumentException">A length is wrong, or the arguments overlap in part.</exception>
        public void Decrypt(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> tag, Span<byte> plaintext, ReadOnlySpan<byte> associatedData = default)
        {
            Arguments.Sealed(ciphertext, plaintext, tag);
            int error;
            fixed (byte* nonceBytes = nonce)
            fixed (byte* associated = associatedData)
            fixed (byte* data = ciphertext)
            fixed (byte* output = plaintext)
            fixed (byte* tagBytes = tag)
            {
                error = Sm4Native.kuaimi_sm4_ccm_open(
                    _cipher, nonceBytes, (UIntPtr)(uint)nonce.Length, associated, (UIntPtr)(uint)associatedData.Length, data, (UIntPtr)(uint)ciphertext.Length, tagBytes, (UIntPtr)(uint)tag.Length, output);
            }
            if (error != Failure.Ok)
            {
                // The C library leaves a copy of the ciphertext; .NET's ciphers leave zeros.
                CryptographicOperations.ZeroMemory(plaintext);
                throw Failure.Of(error);
            }
        }

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => _cipher.Dispose();
    }
}
