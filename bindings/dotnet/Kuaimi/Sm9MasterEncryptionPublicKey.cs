using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A master public key of SM9 for encryption and key exchange, which all users know. Threads may share it.</summary>
    public sealed unsafe class Sm9MasterEncryptionPublicKey : IDisposable
    {
        internal Sm9MasterEncryptionPublicKey(Sm9MasterEncryptionPublicKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9MasterEncryptionPublicKeyHandle Handle { get; }

        /// <summary>The master public key that is a point: 64 bytes (coordinates), 65 bytes (after 04), or 33 bytes (compressed).</summary>
        /// <param name="point">The point.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It is no point of the group.</exception>
        public static Sm9MasterEncryptionPublicKey ImportRaw(ReadOnlySpan<byte> point) => new Sm9MasterEncryptionPublicKey(Sm9Calls.Read<Sm9MasterEncryptionPublicKeyHandle>(Sm9Native.kuaimi_sm9_master_encryption_public_key_from_bytes, point));

        /// <summary>Reads the content of a file with a master public key: SubjectPublicKeyInfo, or GmSSL's form, in PEM, DER, hexadecimal or Base64.</summary>
        /// <param name="content">The content of the file.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public static Sm9MasterEncryptionPublicKey Import(ReadOnlySpan<byte> content) => new Sm9MasterEncryptionPublicKey(Sm9Calls.Read<Sm9MasterEncryptionPublicKeyHandle>(Sm9Native.kuaimi_sm9_master_encryption_public_key_read, content));

        /// <summary>Makes the table of the key now, 118 KiB, which all keys under it share: encryption and key exchange are faster with it.</summary>
        public void Prepare() => Failure.Check(Sm9Native.kuaimi_sm9_master_encryption_public_key_prepare(Handle));

        /// <summary>Writes the key.</summary>
        /// <param name="format">Raw, Uncompressed, Der, SubjectPublicKeyInfoPem, SubjectPublicKeyInfoDer or GmsslPem.</param>
        /// <returns>The bytes; PEM is ASCII.</returns>
        /// <exception cref="ArgumentException">The format is not one of these.</exception>
        public byte[] Export(Sm9KeyFormat format = Sm9KeyFormat.SubjectPublicKeyInfoDer) => Sm9Calls.Write(Sm9Native.kuaimi_sm9_master_encryption_public_key_write, Handle, format);

        /// <summary>The public key of a user: an identity under this master public key.</summary>
        /// <param name="identity">The user: a name, a mail address, a number. Not empty.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 3.</param>
        /// <returns>The key.</returns>
        /// <exception cref="ArgumentException">The identity is empty.</exception>
        public Sm9EncryptionKey ForUser(ReadOnlySpan<byte> identity, byte hid = 0) => new Sm9EncryptionKey(Sm9Calls.User<Sm9MasterEncryptionPublicKeyHandle, Sm9EncryptionKeyHandle>(Sm9Native.kuaimi_sm9_encryption_key_new, Handle, identity, hid));

        /// <summary>The public key of a user: an identity under this master public key.</summary>
        /// <param name="identity">The user, whose UTF-8 is taken; not null, not empty.</param>
        /// <returns>The key.</returns>
        /// <exception cref="ArgumentException">The identity is empty.</exception>
        public Sm9EncryptionKey ForUser(string identity) => ForUser(Utf8.Identity(identity, nameof(identity)));

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
