using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    public sealed unsafe partial class Sm2
    {
        /// <summary>Imports the content of a file with a private key, in any form: PEM, DER, hexadecimal, Base64 or 32 bytes; PKCS#8, encrypted or not, or SEC 1.</summary>
        /// <param name="content">The content of the file.</param>
        /// <param name="password">The password in UTF-8; it is not used for a key that is not encrypted. Empty means none.</param>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public void ImportPrivateKey(ReadOnlySpan<byte> content, ReadOnlySpan<byte> password = default) => Use(ReadPrivate(content, password, hasPassword: !password.IsEmpty));

        /// <summary>
        /// Imports the content of a file with a public key, in any form: PEM, DER, hexadecimal or Base64; SubjectPublicKeyInfo, a certificate, or a point of 33,
        /// 64 or 65 bytes. Nothing else in a certificate is checked.
        /// </summary>
        /// <param name="content">The content of the file.</param>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public void ImportPublicKey(ReadOnlySpan<byte> content) => Use(ReadPublic(content));

        /// <summary>Imports a private key that is a number.</summary>
        /// <param name="number">32 bytes, most significant byte first, in [1, n - 2].</param>
        /// <exception cref="KuaimiException">The length or the range is wrong.</exception>
        public void ImportRawPrivateKey(ReadOnlySpan<byte> number)
        {
            fixed (byte* bytes = number)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_private_key_from_bytes(bytes, (UIntPtr)(uint)number.Length, out var key));
                Use(new Sm2Keys(key));
            }
        }

        /// <summary>Imports a public key that is a point: 65 bytes (04, x and y), 64 bytes (x and y) or 33 bytes (02 or 03, and x).</summary>
        /// <param name="point">The point.</param>
        /// <exception cref="KuaimiException">It is no point of the curve.</exception>
        public void ImportRawPublicKey(ReadOnlySpan<byte> point)
        {
            fixed (byte* bytes = point)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_public_key_from_bytes(bytes, (UIntPtr)(uint)point.Length, out var key));
                Use(new Sm2Keys(key));
            }
        }

        /// <summary>Imports a private key in PKCS#8 and DER.</summary>
        /// <param name="source">Begins with the key; what follows it is left alone.</param>
        /// <param name="bytesRead">The length of the key.</param>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public override void ImportPkcs8PrivateKey(ReadOnlySpan<byte> source, out int bytesRead)
        {
            var key = Der.First(source, Der.Structure.Pkcs8);
            Use(ReadPrivate(key, default, hasPassword: false));
            bytesRead = key.Length;
        }

        /// <summary>Imports a private key in SEC 1 (<c>ECPrivateKey</c>, RFC 5915) and DER.</summary>
        /// <param name="source">Begins with the key; what follows it is left alone.</param>
        /// <param name="bytesRead">The length of the key.</param>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public void ImportECPrivateKey(ReadOnlySpan<byte> source, out int bytesRead)
        {
            var key = Der.First(source, Der.Structure.Sec1);
            Use(ReadPrivate(key, default, hasPassword: false));
            bytesRead = key.Length;
        }

        /// <summary>Imports a private key in encrypted PKCS#8 (PBES2) and DER.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <param name="source">Begins with the key; what follows it is left alone.</param>
        /// <param name="bytesRead">The length of the key.</param>
        /// <exception cref="KuaimiException">It cannot be read, or the password is wrong.</exception>
        public override void ImportEncryptedPkcs8PrivateKey(ReadOnlySpan<char> password, ReadOnlySpan<byte> source, out int bytesRead)
        {
            using var bytes = new Utf8(password);
            ImportEncryptedPkcs8PrivateKey(bytes.Span, source, out bytesRead);
        }

        /// <summary>Imports a private key in encrypted PKCS#8 (PBES2) and DER.</summary>
        /// <param name="passwordBytes">The password.</param>
        /// <param name="source">Begins with the key; what follows it is left alone.</param>
        /// <param name="bytesRead">The length of the key.</param>
        /// <exception cref="KuaimiException">It cannot be read, or the password is wrong.</exception>
        public override void ImportEncryptedPkcs8PrivateKey(ReadOnlySpan<byte> passwordBytes, ReadOnlySpan<byte> source, out int bytesRead)
        {
            var key = Der.First(source, Der.Structure.EncryptedPkcs8);
            Use(ReadPrivate(key, passwordBytes, hasPassword: true));
            bytesRead = key.Length;
        }

        /// <summary>Imports a public key in SubjectPublicKeyInfo and DER.</summary>
        /// <param name="source">Begins with the key; what follows it is left alone.</param>
        /// <param name="bytesRead">The length of the key.</param>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public override void ImportSubjectPublicKeyInfo(ReadOnlySpan<byte> source, out int bytesRead)
        {
            var key = Der.First(source, Der.Structure.SubjectPublicKeyInfo);
            Use(ReadPublic(key));
            bytesRead = key.Length;
        }

        /// <summary>Imports PEM: a private key (<c>PRIVATE KEY</c>, <c>EC PRIVATE KEY</c>), a public key, or the public key of a certificate.</summary>
        /// <param name="input">The text.</param>
        /// <exception cref="KuaimiException">It cannot be read, or is encrypted: <see cref="KuaimiException.Kind"/> says why.</exception>
#if NET5_0_OR_GREATER
        public override void ImportFromPem(ReadOnlySpan<char> input)
#else
        public void ImportFromPem(ReadOnlySpan<char> input)
#endif
        {
            using var text = new Utf8(input);
            Use(input.IndexOf("PRIVATE KEY-----".AsSpan(), StringComparison.Ordinal) >= 0 ? ReadPrivate(text.Span, default, hasPassword: false) : ReadPublic(text.Span));
        }

        /// <summary>Imports an encrypted private key in PEM.</summary>
        /// <param name="input">The text.</param>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <exception cref="KuaimiException">It cannot be read, or the password is wrong.</exception>
#if NET5_0_OR_GREATER
        public override void ImportFromEncryptedPem(ReadOnlySpan<char> input, ReadOnlySpan<char> password)
#else
        public void ImportFromEncryptedPem(ReadOnlySpan<char> input, ReadOnlySpan<char> password)
#endif
        {
            using var text = new Utf8(input);
            using var bytes = new Utf8(password);
            Use(ReadPrivate(text.Span, bytes.Span, hasPassword: true));
        }

        /// <summary>The private key as a number. Wipe it after use.</summary>
        /// <returns>32 bytes, most significant byte first.</returns>
        public byte[] ExportRawPrivateKey() => Output.Array(PrivateWriter(KeyForm.Raw));

        /// <summary>The public key as a point.</summary>
        /// <param name="compressed">33 bytes (02 or 03, and x) in place of 65 bytes (04, x and y).</param>
        /// <returns>The point.</returns>
        public byte[] ExportRawPublicKey(bool compressed = false) => Output.Array(PublicWriter(compressed ? KeyForm.Compressed : KeyForm.Uncompressed));

        /// <summary>The private key in PKCS#8 and DER, not encrypted. Wipe it after use.</summary>
        /// <returns>DER.</returns>
        public override byte[] ExportPkcs8PrivateKey() => Output.Array(PrivateWriter(KeyForm.Pkcs8Der));

        /// <inheritdoc/>
        public override bool TryExportPkcs8PrivateKey(Span<byte> destination, out int bytesWritten) => Output.Try(destination, out bytesWritten, PrivateWriter(KeyForm.Pkcs8Der));

        /// <summary>The private key in SEC 1 (<c>ECPrivateKey</c>, RFC 5915) and DER, not encrypted. Wipe it after use.</summary>
        /// <returns>DER.</returns>
        public byte[] ExportECPrivateKey() => Output.Array(PrivateWriter(KeyForm.Sec1Der));

        /// <summary>The private key in PKCS#8 and DER, encrypted with SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations: some tenths of a second.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <returns>DER.</returns>
        public byte[] ExportEncryptedPkcs8PrivateKey(ReadOnlySpan<char> password) => Encrypted(password, Encryption.Default, KeyForm.Pkcs8Der);

        /// <summary>The private key in PKCS#8 and DER, encrypted with AES-CBC and PBKDF2.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <param name="pbeParameters">AES-128, 192 or 256; SHA1, SHA256, SHA384, SHA512 or <c>new HashAlgorithmName("SM3")</c>; 1 to 10 million iterations.</param>
        /// <returns>DER.</returns>
        public override byte[] ExportEncryptedPkcs8PrivateKey(ReadOnlySpan<char> password, PbeParameters pbeParameters) =>
            Encrypted(password, Encryption.Of(pbeParameters), KeyForm.Pkcs8Der);

        /// <summary>The private key in PKCS#8 and DER, encrypted with AES-CBC and PBKDF2.</summary>
        /// <param name="passwordBytes">The password.</param>
        /// <param name="pbeParameters">AES-128, 192 or 256; SHA1, SHA256, SHA384, SHA512 or <c>new HashAlgorithmName("SM3")</c>; 1 to 10 million iterations.</param>
        /// <returns>DER.</returns>
        public override byte[] ExportEncryptedPkcs8PrivateKey(ReadOnlySpan<byte> passwordBytes, PbeParameters pbeParameters) =>
            Encrypted(passwordBytes, Encryption.Of(pbeParameters), KeyForm.Pkcs8Der);

        /// <inheritdoc/>
        public override bool TryExportEncryptedPkcs8PrivateKey(ReadOnlySpan<char> password, PbeParameters pbeParameters, Span<byte> destination, out int bytesWritten) =>
            Copied(ExportEncryptedPkcs8PrivateKey(password, pbeParameters), destination, out bytesWritten);

        /// <inheritdoc/>
        public override bool TryExportEncryptedPkcs8PrivateKey(ReadOnlySpan<byte> passwordBytes, PbeParameters pbeParameters, Span<byte> destination, out int bytesWritten) =>
            Copied(ExportEncryptedPkcs8PrivateKey(passwordBytes, pbeParameters), destination, out bytesWritten);

        /// <summary>The public key in SubjectPublicKeyInfo and DER.</summary>
        /// <returns>DER.</returns>
        public override byte[] ExportSubjectPublicKeyInfo() => Output.Array(PublicWriter(KeyForm.SpkiDer));

        /// <inheritdoc/>
        public override bool TryExportSubjectPublicKeyInfo(Span<byte> destination, out int bytesWritten) => Output.Try(destination, out bytesWritten, PublicWriter(KeyForm.SpkiDer));

        /// <summary>The private key in PKCS#8 and PEM, encrypted with SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations: some tenths of a second.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <returns>PEM.</returns>
        public string ExportEncryptedPkcs8PrivateKeyPem(ReadOnlySpan<char> password)
        {
            using var bytes = new Utf8(password);
            return System.Text.Encoding.ASCII.GetString(Encrypted(bytes.Span, Encryption.Default, KeyForm.Pkcs8Pem));
        }

#if !NET7_0_OR_GREATER
        /// <summary>
        /// The private key in PKCS#8 and PEM, not encrypted. <b>A string cannot be wiped</b>: <see cref="ExportPkcs8PrivateKey"/> gives bytes, and
        /// <see cref="ExportEncryptedPkcs8PrivateKeyPem(ReadOnlySpan{char})"/> what may be kept.
        /// </summary>
        /// <returns>PEM.</returns>
        public string ExportPkcs8PrivateKeyPem() => Output.Text(PrivateWriter(KeyForm.Pkcs8Pem));

        /// <summary>The public key in SubjectPublicKeyInfo and PEM.</summary>
        /// <returns>PEM.</returns>
        public string ExportSubjectPublicKeyInfoPem() => Output.Text(PublicWriter(KeyForm.SpkiPem));
#endif

        private static Sm2Keys ReadPrivate(ReadOnlySpan<byte> content, ReadOnlySpan<byte> password, bool hasPassword)
        {
            byte empty;
            fixed (byte* bytes = content)
            fixed (byte* secret = password)
            {
                var given = secret == null && hasPassword ? &empty : secret;
                Failure.Check(Sm2Native.kuaimi_sm2_private_key_read(bytes, (UIntPtr)(uint)content.Length, given, (UIntPtr)(uint)password.Length, out var key));
                return new Sm2Keys(key);
            }
        }

        private static Sm2Keys ReadPublic(ReadOnlySpan<byte> content)
        {
            fixed (byte* bytes = content)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_public_key_read(bytes, (UIntPtr)(uint)content.Length, out var key));
                return new Sm2Keys(key);
            }
        }

        private static bool Copied(byte[] result, Span<byte> destination, out int bytesWritten)
        {
            var fits = result.AsSpan().TryCopyTo(destination);
            bytesWritten = fits ? result.Length : 0;
            return fits;
        }

        private byte[] Encrypted(ReadOnlySpan<char> password, PasswordEncryption encryption, KeyForm form)
        {
            using var bytes = new Utf8(password);
            return Encrypted(bytes.Span, encryption, form);
        }

        private byte[] Encrypted(ReadOnlySpan<byte> password, PasswordEncryption encryption, KeyForm form)
        {
            fixed (byte* bytes = password)
            {
                var start = bytes;
                var length = (UIntPtr)(uint)password.Length;
                var key = Keys.Private;
                return Output.Array((output, written) =>
                {
                    var chosen = encryption;
                    return Sm2Native.kuaimi_sm2_private_key_write_encrypted(key, start, length, &chosen, form, output, written);
                });
            }
        }

        private Output.Writer PrivateWriter(KeyForm form)
        {
            var key = Keys.Private;
            return (output, length) => Sm2Native.kuaimi_sm2_private_key_write(key, form, output, length);
        }

        private Output.Writer PublicWriter(KeyForm form)
        {
            var key = Keys.Public;
            return (output, length) => Sm2Native.kuaimi_sm2_public_key_write(key, form, output, length);
        }
    }
}
