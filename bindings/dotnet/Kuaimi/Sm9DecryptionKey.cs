using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A user's key for SM9 decryption and decapsulation. Threads may share it.</summary>
    public sealed unsafe class Sm9DecryptionKey : IDisposable
    {
        internal Sm9DecryptionKey(Sm9DecryptionKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9DecryptionKeyHandle Handle { get; }

        /// <summary>The key that is a point, of a user under a master public key. It is checked that they belong together.</summary>
        /// <param name="master">The master public key; not null.</param>
        /// <param name="point">128 bytes, or 129 after 04.</param>
        /// <param name="identity">The user.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 3.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It is no point, or another user's.</exception>
        public static Sm9DecryptionKey ImportRaw(Sm9MasterEncryptionPublicKey master, ReadOnlySpan<byte> point, ReadOnlySpan<byte> identity, byte hid = 0) =>
            new Sm9DecryptionKey(Sm9Calls.Import<Sm9MasterEncryptionPublicKeyHandle, Sm9DecryptionKeyHandle>(
                Sm9Native.kuaimi_sm9_decryption_key_from_bytes, Arguments.NotNull(master, nameof(master)).Handle, point, identity, hid));

        /// <summary>Reads the content of a file with a user's key: PKCS#8, encrypted or not, with the master public key, in PEM, DER, hexadecimal or Base64.</summary>
        /// <param name="content">The content of the file.</param>
        /// <param name="identity">The user. It is checked that the key is this user's.</param>
        /// <param name="password">The password, whose UTF-8 is taken; it is not used for a key that is not encrypted.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 3.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public static Sm9DecryptionKey Import(ReadOnlySpan<byte> content, ReadOnlySpan<byte> identity, ReadOnlySpan<char> password = default, byte hid = 0) =>
            new Sm9DecryptionKey(Sm9Calls.Read<Sm9DecryptionKeyHandle>(Sm9Native.kuaimi_sm9_decryption_key_read, content, identity, password, hid));

        /// <summary>Makes the table of the key now, and of its master public key what is needed with it: it is faster with them.</summary>
        public void Prepare() => Failure.Check(Sm9Native.kuaimi_sm9_decryption_key_prepare(Handle));

        /// <summary>The key, not encrypted. Wipe it after use.</summary>
        /// <param name="format">Raw, Der, Pkcs8Pem or Pkcs8Der.</param>
        /// <returns>The bytes; PEM is ASCII.</returns>
        /// <exception cref="ArgumentException">The format is not one of these.</exception>
        public byte[] Export(Sm9KeyFormat format = Sm9KeyFormat.Pkcs8Der) => Sm9Calls.Write(Sm9Native.kuaimi_sm9_decryption_key_write, Handle, format);

        /// <summary>The key in PKCS#8 and PEM, encrypted with SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations: some tenths of a second.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <returns>PEM, in ASCII.</returns>
        public byte[] ExportEncryptedPem(ReadOnlySpan<char> password) => Sm9Calls.WriteEncrypted(Sm9Native.kuaimi_sm9_decryption_key_write_encrypted, Handle, password);

        /// <summary>Decrypts a ciphertext.</summary>
        /// <param name="data">The ciphertext; not null.</param>
        /// <param name="options">The options of the encryption; null means a key stream, the standard's authentication, DER.</param>
        /// <returns>The message.</returns>
        /// <exception cref="KuaimiException">The decryption failed, for whatever reason.</exception>
        public byte[] Decrypt(byte[] data, Sm9EncryptionOptions? options = null) => Decrypt(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), options);

        /// <summary>Decrypts a ciphertext.</summary>
        /// <param name="data">The ciphertext.</param>
        /// <param name="options">The options of the encryption; null means a key stream, the standard's authentication, DER.</param>
        /// <returns>The message.</returns>
        /// <exception cref="KuaimiException">The decryption failed, for whatever reason.</exception>
        public byte[] Decrypt(ReadOnlySpan<byte> data, Sm9EncryptionOptions? options = null)
        {
            fixed (byte* ciphertext = data)
            {
                var start = ciphertext;
                var length = (UIntPtr)(uint)data.Length;
                return Output.Array((output, written) =>
                {
                    var chosen = Sm9EncryptionOptions.Of(options);
                    return Sm9Native.kuaimi_sm9_decrypt(Handle, start, length, &chosen, output, written);
                });
            }
        }

        /// <summary>The key that was encapsulated. Another key or an altered point gives another result: nothing here detects it.</summary>
        /// <param name="encapsulation">The point.</param>
        /// <param name="keyLength">The length of the key in bytes.</param>
        /// <returns>The key. Wipe it after use.</returns>
        /// <exception cref="KuaimiException">It is no point.</exception>
        public byte[] Decapsulate(ReadOnlySpan<byte> encapsulation, int keyLength)
        {
            Arguments.Positive(keyLength, nameof(keyLength));
            var key = new byte[keyLength];
            fixed (byte* point = encapsulation)
            fixed (byte* derived = key)
            {
                Failure.Check(Sm9Native.kuaimi_sm9_decapsulate(Handle, point, (UIntPtr)(uint)encapsulation.Length, derived, (UIntPtr)(uint)keyLength));
            }
            return key;
        }

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
