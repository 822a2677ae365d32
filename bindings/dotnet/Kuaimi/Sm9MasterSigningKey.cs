using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A master key of SM9 for signatures: the secret of the key generation centre. Threads may share it.</summary>
    public sealed unsafe class Sm9MasterSigningKey : IDisposable
    {
        internal Sm9MasterSigningKey(Sm9MasterSigningKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9MasterSigningKeyHandle Handle { get; }

        /// <summary>The master public key that belongs to it.</summary>
        /// <returns>A new object, to be disposed of by itself.</returns>
        public Sm9MasterSigningPublicKey GetPublicKey()
        {
            Failure.Check(Sm9Native.kuaimi_sm9_master_signing_key_public_key(Handle, out var key));
            return new Sm9MasterSigningPublicKey(key);
        }

        /// <summary>A new master key, from the operating system's random generator.</summary>
        /// <returns>The key.</returns>
        public static Sm9MasterSigningKey Generate()
        {
            Failure.Check(Sm9Native.kuaimi_sm9_master_signing_key_generate(out var key));
            return new Sm9MasterSigningKey(key);
        }

        /// <summary>The master key that is a number.</summary>
        /// <param name="number">32 bytes, most significant byte first, in [1, N - 1].</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">The length or the range is wrong.</exception>
        public static Sm9MasterSigningKey ImportRaw(ReadOnlySpan<byte> number) => new Sm9MasterSigningKey(Sm9Calls.Read<Sm9MasterSigningKeyHandle>(Sm9Native.kuaimi_sm9_master_signing_key_from_bytes, number));

        /// <summary>Reads the content of a file with a master key: PKCS#8, encrypted or not, in PEM, DER, hexadecimal or Base64.</summary>
        /// <param name="content">The content of the file.</param>
        /// <param name="password">The password, whose UTF-8 is taken; it is not used for a key that is not encrypted.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public static Sm9MasterSigningKey Import(ReadOnlySpan<byte> content, ReadOnlySpan<char> password = default) =>
            new Sm9MasterSigningKey(Sm9Calls.Read<Sm9MasterSigningKeyHandle>(Sm9Native.kuaimi_sm9_master_signing_key_read, content, password));

        /// <summary>The key, not encrypted. Wipe it after use.</summary>
        /// <param name="format">Raw, Der, Pkcs8Pem or Pkcs8Der.</param>
        /// <returns>The bytes; PEM is ASCII.</returns>
        /// <exception cref="ArgumentException">The format is not one of these.</exception>
        public byte[] Export(Sm9KeyFormat format = Sm9KeyFormat.Pkcs8Der) => Sm9Calls.Write(Sm9Native.kuaimi_sm9_master_signing_key_write, Handle, format);

        /// <summary>The key in PKCS#8 and PEM, encrypted with SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations: some tenths of a second.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <returns>PEM, in ASCII.</returns>
        public byte[] ExportEncryptedPem(ReadOnlySpan<char> password) => Sm9Calls.WriteEncrypted(Sm9Native.kuaimi_sm9_master_signing_key_write_encrypted, Handle, password);

        /// <summary>The signing key of a user.</summary>
        /// <param name="identity">The user: a name, a mail address, a number. Not empty.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 1.</param>
        /// <returns>The key.</returns>
        /// <exception cref="ArgumentException">The identity is empty.</exception>
        public Sm9SigningKey Extract(ReadOnlySpan<byte> identity, byte hid = 0) => new Sm9SigningKey(Sm9Calls.User<Sm9MasterSigningKeyHandle, Sm9SigningKeyHandle>(Sm9Native.kuaimi_sm9_master_signing_key_extract, Handle, identity, hid));

        /// <summary>The signing key of a user.</summary>
        /// <param name="identity">The user, whose UTF-8 is taken; not null, not empty.</param>
        /// <returns>The key.</returns>
        /// <exception cref="ArgumentException">The identity is empty.</exception>
        public Sm9SigningKey Extract(string identity) => Extract(Utf8.Identity(identity, nameof(identity)));

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
