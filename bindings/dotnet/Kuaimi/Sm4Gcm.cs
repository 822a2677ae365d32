using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>SM4 in GCM, authenticated encryption, with the shape of <see cref="AesGcm"/>. Threads may share an instance.</summary>
    public sealed unsafe class Sm4Gcm : IDisposable
    {
        /// <summary>The length of a tag in bytes.</summary>
        public const int TagSizeInBytes = 16;

        private readonly Sm4GcmHandle _cipher;

        /// <summary>A cipher with a key.</summary>
        /// <param name="key">16 bytes; not null.</param>
        /// <exception cref="CryptographicException">The key has another length.</exception>
        public Sm4Gcm(byte[] key)
            : this(new ReadOnlySpan<byte>(Arguments.NotNull(key, nameof(key))))
        {
        }

        /// <summary>A cipher with a key.</summary>
        /// <param name="key">16 bytes.</param>
        /// <exception cref="CryptographicException">The key has another length.</exception>
        public Sm4Gcm(ReadOnlySpan<byte> key)
        {
            Arguments.Sm4Key(key);
            fixed (byte* bytes = key)
            {
                Failure.Check(Sm4Native.kuaimi_sm4_gcm_new(bytes, out _cipher));
            }
        }

        /// <summary>The lengths of nonces in bytes: 12 is usual, others from 1 on are accepted.</summary>
        public static KeySizes NonceByteSizes => new KeySizes(1, int.MaxValue, 1);

        /// <summary>The lengths of tags in bytes: 16 alone.</summary>
        public static KeySizes TagByteSizes => new KeySizes(TagSizeInBytes, TagSizeInBytes, 1);

        /// <summary>Encrypts a message. <b>Never use a nonce twice with a key.</b></summary>
        /// <param name="nonce">The nonce, usually 12 bytes; not null.</param>
        /// <param name="plaintext">The message; not null.</param>
        /// <param name="ciphertext">As many bytes as the message; not null.</param>
        /// <param name="tag">16 bytes that are written; not null.</param>
        /// <param name="associatedData">What is authenticated beside the message, or null.</param>
        public void Encrypt(byte[] nonce, byte[] plaintext, byte[] ciphertext, byte[] tag, byte[]? associatedData = null) =>
            Encrypt(
                new ReadOnlySpan<byte>(Arguments.NotNull(nonce, nameof(nonce))),
                new ReadOnlySpan<byte>(Arguments.NotNull(plaintext, nameof(plaintext))),
                new Span<byte>(Arguments.NotNull(ciphertext, nameof(ciphertext))),
                new Span<byte>(Arguments.NotNull(tag, nameof(tag))),
                new ReadOnlySpan<byte>(associatedData));

        /// <summary>Encrypts a message. <b>Never use a nonce twice with a key.</b></summary>
        /// <param name="nonce">The nonce, usually 12 bytes.</param>
        /// <param name="plaintext">The message.</param>
        /// <param name="ciphertext">As many bytes as the message; the same memory or other memory.</param>
        /// <param name="tag">16 bytes that are written.</param>
        /// <param name="associatedData">What is authenticated beside the message.</param>
        /// <exception cref="ArgumentException">A length is wrong, or the arguments overlap in part.</exception>
        public void Encrypt(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> plaintext, Span<byte> ciphertext, Span<byte> tag, ReadOnlySpan<byte> associatedData = default)
        {
            Arguments.Length(tag.Length, TagSizeInBytes, nameof(tag));
            Arguments.Sealed(plaintext, ciphertext, tag);
            int error;
            fixed (byte* nonceBytes = nonce)
            fixed (byte* associated = associatedData)
            fixed (byte* data = plaintext)
            fixed (byte* output = ciphertext)
            fixed (byte* tagBytes = tag)
            {
                error = Sm4Native.kuaimi_sm4_gcm_seal(
                    _cipher, nonceBytes, (UIntPtr)(uint)nonce.Length, associated, (UIntPtr)(uint)associatedData.Length, data, (UIntPtr)(uint)plaintext.Length, output, tagBytes);
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
        /// <param name="tag">Its tag, 16 bytes; not null.</param>
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
        /// <param name="tag">Its tag, 16 bytes.</param>
        /// <param name="plaintext">As many bytes as the ciphertext; the same memory or other memory. Zeros if the decryption fails.</param>
        /// <param name="associatedData">What was authenticated beside the message.</param>
        /// <exception cref="CryptographicException">Another key, nonce or associated data, or altered data.</exception>
        /// <exception cref="ArgumentException">A length is wrong, or the arguments overlap in part.</exception>
        public void Decrypt(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> tag, Span<byte> plaintext, ReadOnlySpan<byte> associatedData = default)
        {
            Arguments.Length(tag.Length, TagSizeInBytes, nameof(tag));
            Arguments.Sealed(ciphertext, plaintext, tag);
            int error;
            fixed (byte* nonceBytes = nonce)
            fixed (byte* associated = associatedData)
            fixed (byte* data = ciphertext)
            fixed (byte* output = plaintext)
            fixed (byte* tagBytes = tag)
            {
                error = Sm4Native.kuaimi_sm4_gcm_open(
                    _cipher, nonceBytes, (UIntPtr)(uint)nonce.Length, associated, (UIntPtr)(uint)associatedData.Length, data, (UIntPtr)(uint)ciphertext.Length, tagBytes, output);
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
