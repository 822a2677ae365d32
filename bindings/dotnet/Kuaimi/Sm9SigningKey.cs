using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A user's key for SM9 signatures. Threads may share it.</summary>
    public sealed unsafe class Sm9SigningKey : IDisposable
    {
        internal Sm9SigningKey(Sm9SigningKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9SigningKeyHandle Handle { get; }

        /// <summary>The key that is a point, of a user under a master public key. It is checked that they belong together.</summary>
        /// <param name="master">The master public key; not null.</param>
        /// <param name="point">64 bytes, or 65 after 04.</param>
        /// <param name="identity">The user.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 1.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It is no point, or another user's.</exception>
        public static Sm9SigningKey ImportRaw(Sm9MasterSigningPublicKey master, ReadOnlySpan<byte> point, ReadOnlySpan<byte> identity, byte hid = 0) =>
            new Sm9SigningKey(Sm9Calls.Import<Sm9MasterSigningPublicKeyHandle, Sm9SigningKeyHandle>(
                Sm9Native.kuaimi_sm9_signing_key_from_bytes, Arguments.NotNull(master, nameof(master)).Handle, point, identity, hid));

        /// <summary>Reads the content of a file with a user's key: PKCS#8, encrypted or not, with the master public key, in PEM, DER, hexadecimal or Base64.</summary>
        /// <param name="content">The content of the file.</param>
        /// <param name="identity">The user. It is checked that the key is this user's.</param>
        /// <param name="password">The password, whose UTF-8 is taken; it is not used for a key that is not encrypted.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 1.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public static Sm9SigningKey Import(ReadOnlySpan<byte> content, ReadOnlySpan<byte> identity, ReadOnlySpan<char> password = default, byte hid = 0) =>
            new Sm9SigningKey(Sm9Calls.Read<Sm9SigningKeyHandle>(Sm9Native.kuaimi_sm9_signing_key_read, content, identity, password, hid));

        /// <summary>Makes the table of the key now, and of its master public key what is needed with it: it is faster with them.</summary>
        public void Prepare() => Failure.Check(Sm9Native.kuaimi_sm9_signing_key_prepare(Handle));

        /// <summary>The key, not encrypted. Wipe it after use.</summary>
        /// <param name="format">Raw, Der, Pkcs8Pem or Pkcs8Der.</param>
        /// <returns>The bytes; PEM is ASCII.</returns>
        /// <exception cref="ArgumentException">The format is not one of these.</exception>
        public byte[] Export(Sm9KeyFormat format = Sm9KeyFormat.Pkcs8Der) => Sm9Calls.Write(Sm9Native.kuaimi_sm9_signing_key_write, Handle, format);

        /// <summary>The key in PKCS#8 and PEM, encrypted with SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations: some tenths of a second.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <returns>PEM, in ASCII.</returns>
        public byte[] ExportEncryptedPem(ReadOnlySpan<char> password) => Sm9Calls.WriteEncrypted(Sm9Native.kuaimi_sm9_signing_key_write_encrypted, Handle, password);

        /// <summary>Signs a message.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignData(byte[] data, Sm9SignatureFormat format = Sm9SignatureFormat.Der) => SignData(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), format);

        /// <summary>Signs a message.</summary>
        /// <param name="data">The message.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature: 104 bytes in DER, 96 raw.</returns>
        public byte[] SignData(ReadOnlySpan<byte> data, Sm9SignatureFormat format = Sm9SignatureFormat.Der)
        {
            var length = (UIntPtr)104;
            Span<byte> signature = stackalloc byte[104];
            fixed (byte* message = data)
            fixed (byte* output = signature)
            {
                Failure.Check(Sm9Native.kuaimi_sm9_sign(Handle, message, (UIntPtr)(uint)data.Length, (SignatureForm)format, output, &length));
            }
            return signature.Slice(0, (int)length).ToArray();
        }

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
