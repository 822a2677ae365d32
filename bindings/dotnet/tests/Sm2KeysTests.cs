using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm2KeysTests
    {
        private static readonly byte[] Message = Repository.Utf8("a message");

        [Test]
        internal static void RoundTrips()
        {
            using var key = Sm2.Create();
            var number = key.ExportRawPrivateKey();
            void Same(string what, Action<Sm2> import, bool isPrivate)
            {
                using var read = Sm2.Create();
                import(read);
                Check.Equal(isPrivate, read.HasPrivateKey, what);
                Check.Bytes(key.ExportRawPublicKey(), read.ExportRawPublicKey(), what);
                if (isPrivate)
                {
                    Check.Bytes(number, read.ExportRawPrivateKey(), what);
                }
            }
            var fast = new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000);
            byte[] pkcs8 = key.ExportPkcs8PrivateKey(), sec1 = key.ExportECPrivateKey(), spki = key.ExportSubjectPublicKeyInfo();
            var encrypted = key.ExportEncryptedPkcs8PrivateKey("a password".AsSpan(), fast);
            Same("pkcs8", read => Check.Equal(Imported(read.ImportPkcs8PrivateKey, pkcs8), pkcs8.Length), true);
            Same("sec1", read => Check.Equal(Imported(read.ImportECPrivateKey, sec1), sec1.Length), true);
            Same("spki", read => Check.Equal(Imported(read.ImportSubjectPublicKeyInfo, spki), spki.Length), false);
            Same("encrypted", read => { read.ImportEncryptedPkcs8PrivateKey("a password".AsSpan(), encrypted, out var length); Check.Equal(encrypted.Length, length); }, true);
            Same("encrypted", read => read.ImportEncryptedPkcs8PrivateKey(Repository.Utf8("a password"), encrypted, out _), true);
            Same("pem", read => read.ImportFromPem(key.ExportPkcs8PrivateKeyPem().AsSpan()), true);
            Same("pem", read => read.ImportFromPem(key.ExportSubjectPublicKeyInfoPem().AsSpan()), false);
            Same("encrypted pem", read => read.ImportFromEncryptedPem(key.ExportEncryptedPkcs8PrivateKeyPem("密码".AsSpan()).AsSpan(), "密码".AsSpan()), true);
            Same("any", read => read.ImportPrivateKey(number), true);
            Same("any", read => read.ImportPrivateKey(encrypted, Repository.Utf8("a password")), true);
            Same("any", read => read.ImportPublicKey(spki), false);
            Same("point", read => read.ImportRawPublicKey(key.ExportRawPublicKey(compressed: true)), false);
            Span<byte> destination = stackalloc byte[pkcs8.Length];
            Check.True(key.TryExportPkcs8PrivateKey(destination, out var written));
            Check.Bytes(pkcs8, destination.Slice(0, written));
            Check.False(key.TryExportPkcs8PrivateKey(destination.Slice(1), out written));
            Check.True(key.TryExportSubjectPublicKeyInfo(destination, out written));
            Check.Bytes(spki, destination.Slice(0, written));
        }

        [Test]
        internal static void Encryptions()
        {
            using var key = Sm2.Create();
            foreach (var cipher in new[] { PbeEncryptionAlgorithm.Aes128Cbc, PbeEncryptionAlgorithm.Aes192Cbc, PbeEncryptionAlgorithm.Aes256Cbc })
            {
                foreach (var hash in new[] { "SHA1", "SHA256", "SHA384", "SHA512", "SM3" })
                {
                    var encrypted = key.ExportEncryptedPkcs8PrivateKey("p".AsSpan(), new PbeParameters(cipher, new HashAlgorithmName(hash), 10));
                    using var read = Sm2.Create();
                    read.ImportEncryptedPkcs8PrivateKey("p".AsSpan(), encrypted, out _);
                    Check.Bytes(key.ExportRawPrivateKey(), read.ExportRawPrivateKey());
                    Check.Fails(KuaimiErrorKind.WrongPassword, () => read.ImportEncryptedPkcs8PrivateKey("q".AsSpan(), encrypted, out _));
                    Check.Fails(KuaimiErrorKind.WrongPassword, () => read.ImportEncryptedPkcs8PrivateKey(string.Empty.AsSpan(), encrypted, out _));
                    Check.Fails(KuaimiErrorKind.PasswordNeeded, () => read.ImportPrivateKey(encrypted));
                    // A failed import changes nothing.
                    Check.Bytes(key.ExportRawPrivateKey(), read.ExportRawPrivateKey());
                }
            }
            Check.Throws<ArgumentNullException>(() => key.ExportEncryptedPkcs8PrivateKey("p".AsSpan(), null!));
            Check.Throws<CryptographicException>(() =>
                key.ExportEncryptedPkcs8PrivateKey("p".AsSpan(), new PbeParameters(PbeEncryptionAlgorithm.TripleDes3KeyPkcs12, HashAlgorithmName.SHA1, 10)));
            Check.Throws<CryptographicException>(() =>
                key.ExportEncryptedPkcs8PrivateKey("p".AsSpan(), new PbeParameters(PbeEncryptionAlgorithm.Aes128Cbc, HashAlgorithmName.MD5, 10)));
        }

        /// Each method reads its own structure, and leaves alone what follows.
        [Test]
        internal static void OneStructureEach()
        {
            using var key = Sm2.Create();
            var structures = new Dictionary<string, byte[]>
            {
                ["pkcs8"] = key.ExportPkcs8PrivateKey(),
                ["sec1"] = key.ExportECPrivateKey(),
                ["spki"] = key.ExportSubjectPublicKeyInfo(),
                ["encrypted"] = key.ExportEncryptedPkcs8PrivateKey("p".AsSpan(), new PbeParameters(PbeEncryptionAlgorithm.Aes128Cbc, HashAlgorithmName.SHA256, 10)),
            };
            using var read = Sm2.Create();
            var imports = new Dictionary<string, Import>
            {
                ["pkcs8"] = read.ImportPkcs8PrivateKey,
                ["sec1"] = read.ImportECPrivateKey,
                ["spki"] = read.ImportSubjectPublicKeyInfo,
                ["encrypted"] = (ReadOnlySpan<byte> source, out int length) => read.ImportEncryptedPkcs8PrivateKey("p".AsSpan(), source, out length),
            };
            foreach (var import in imports)
            {
                foreach (var structure in structures)
                {
                    if (import.Key == structure.Key)
                    {
                        Check.Equal(structure.Value.Length, Imported(import.Value, structure.Value.Concat(new byte[3]).ToArray()));
                    }
                    else
                    {
                        Check.Fails(KuaimiErrorKind.OtherKey, () => Imported(import.Value, structure.Value), $"{import.Key} reads {structure.Key}");
                    }
                }
                foreach (var hostile in new[] { "", "30", "3080", "3084FFFFFFFF", "30830000", "308300000102", "3082FFFF00", "0500", "FF", "31020500" })
                {
                    Check.Throws<CryptographicException>(() => Imported(import.Value, Hex.From(hostile)), hostile);
                }
                // Any beginning of it, and any bit of it changed, is a key or an error of this package.
                var own = structures[import.Key];
                for (var length = 0; length < own.Length; length++)
                {
                    Check.Throws<CryptographicException>(() => Imported(import.Value, own.AsSpan(0, length).ToArray()));
                    var changed = (byte[])own.Clone();
                    changed[length] ^= 0x40;
                    try
                    {
                        Imported(import.Value, changed);
                    }
                    catch (CryptographicException)
                    {
                    }
                }
            }
        }

        [Test]
        internal static void Files()
        {
            var file = Repository.Vectors("key_forms");
            int keys = 0, errors = 0;
            foreach (var one in file.GetProperty("cases").EnumerateArray())
            {
                using var key = Sm2.Create();
                foreach (var kind in new[] { "private", "public" })
                {
                    void Import()
                    {
                        if (kind == "private")
                        {
                            key.ImportPrivateKey(one.Bytes("input"));
                        }
                        else
                        {
                            key.ImportPublicKey(one.Bytes("input"));
                        }
                    }
                    if (one.Text(kind) == "key")
                    {
                        Import();
                        Check.Bytes(file.Bytes("public_key"), key.ExportRawPublicKey(), one.Text("name"));
                        keys++;
                    }
                    else
                    {
                        Check.Throws<KuaimiException>(Import, one.Text("name"));
                        errors++;
                    }
                }
            }
            Check.True(keys > 10 && errors > 10, "enough cases");
        }

        [Test]
        internal static void Texts()
        {
            using var key = Sm2.Create();
            var password = "p".AsSpan().ToArray();
            foreach (var text in new[] { string.Empty, "hello", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n", "\0", "密钥" })
            {
                Check.Throws<KuaimiException>(() => key.ImportFromPem(text.AsSpan()), text);
                Check.Throws<KuaimiException>(() => key.ImportFromEncryptedPem(text.AsSpan(), password), text);
            }
            var pem = key.ExportEncryptedPkcs8PrivateKeyPem("p".AsSpan());
            Check.True(pem.StartsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", StringComparison.Ordinal));
            Check.Fails(KuaimiErrorKind.PasswordNeeded, () => key.ImportFromPem(pem.AsSpan()));
            Check.Fails(KuaimiErrorKind.WrongPassword, () => key.ImportFromEncryptedPem(pem.AsSpan(), "q".AsSpan()));
        }

        [Test]
        internal static void Numbers()
        {
            var curve = Repository.Vectors("sm2").GetProperty("curve");
            using var key = Sm2.Create();
            var n = curve.Bytes("n");
            Check.Fails(KuaimiErrorKind.PrivateKeyRange, () => key.ImportRawPrivateKey(n));
            n[31]--;
            Check.Fails(KuaimiErrorKind.PrivateKeyRange, () => key.ImportRawPrivateKey(n));
            n[31]--;
            key.ImportRawPrivateKey(n);
            Check.True(key.VerifyData(Message, key.SignData(Message)));
            Check.Fails(KuaimiErrorKind.PrivateKeyRange, () => key.ImportRawPrivateKey(new byte[32]));
            Check.Fails(KuaimiErrorKind.KeyLength, () => key.ImportRawPrivateKey(new byte[31]));
            Check.Fails(KuaimiErrorKind.KeyLength, () => key.ImportRawPrivateKey(default));
            Check.Fails(KuaimiErrorKind.PointEncoding, () => key.ImportRawPublicKey(default));
            Check.Fails(KuaimiErrorKind.PointEncoding, () => key.ImportRawPublicKey(new byte[65]));
            var point = key.ExportRawPublicKey();
            point[64] ^= 1;
            Check.Fails(KuaimiErrorKind.NotOnCurve, () => key.ImportRawPublicKey(point));
        }

        private delegate void Import(ReadOnlySpan<byte> source, out int bytesRead);

        private static int Imported(Import import, byte[] source)
        {
            import(source, out var length);
            return length;
        }
    }
}
