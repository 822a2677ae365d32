using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm4Tests
    {
        private static readonly byte[] Key = Hex.From("0123456789ABCDEFFEDCBA9876543210");
        private static readonly byte[] Iv = Hex.From("000102030405060708090A0B0C0D0E0F");

        [Test]
        internal static void Standard()
        {
            var one = Repository.Vectors("sm3_sm4").GetProperty("sm4")[0];
            using var sm4 = new Sm4 { Mode = CipherMode.ECB, Padding = PaddingMode.None, Key = one.Bytes("key") };
            Check.Bytes(one.Bytes("ciphertext"), sm4.CreateEncryptor().TransformFinalBlock(one.Bytes("plaintext"), 0, 16));
            Check.Bytes(one.Bytes("plaintext"), sm4.CreateDecryptor().TransformFinalBlock(one.Bytes("ciphertext"), 0, 16));
        }

        [Test]
        internal static void OpenSslCases()
        {
            var tested = 0;
            foreach (var one in Repository.Vectors("openssl").GetProperty("sm4").EnumerateArray())
            {
                var name = one.GetProperty("name").GetString()!;
                byte[] plaintext = one.Bytes("plaintext"), ciphertext = one.Bytes("ciphertext");
                if (name.EndsWith("ECB", StringComparison.Ordinal) || name.EndsWith("CBC", StringComparison.Ordinal))
                {
                    using var sm4 = new Sm4 { Mode = name.EndsWith("ECB", StringComparison.Ordinal) ? CipherMode.ECB : CipherMode.CBC, Padding = PaddingMode.None };
                    var iv = sm4.Mode == CipherMode.ECB ? null : one.Bytes("iv");
                    Check.Bytes(ciphertext, sm4.CreateEncryptor(one.Bytes("key"), iv).TransformFinalBlock(plaintext, 0, plaintext.Length), name);
                    Check.Bytes(plaintext, sm4.CreateDecryptor(one.Bytes("key"), iv).TransformFinalBlock(ciphertext, 0, ciphertext.Length), name);
                    tested++;
                }
                else if (name.EndsWith("CTR", StringComparison.Ordinal))
                {
                    using var stream = new Sm4Ctr(one.Bytes("key"), one.Bytes("iv"));
                    Check.Bytes(ciphertext, stream.TransformFinalBlock(plaintext, 0, plaintext.Length), name);
                    tested++;
                }
            }
            Check.True(tested >= 3, "enough cases");
        }

        /// All lengths around blocks, in one call and through CryptoStream in pieces, each mode and padding; a transform serves twice.
        [Test]
        internal static void Pieces()
        {
            foreach (var mode in new[] { CipherMode.CBC, CipherMode.ECB })
            {
                foreach (var padding in new[] { PaddingMode.PKCS7, PaddingMode.Zeros, PaddingMode.None })
                {
                    using var sm4 = new Sm4 { Mode = mode, Padding = padding, Key = Key, IV = Iv };
                    using var encryptor = sm4.CreateEncryptor();
                    using var decryptor = sm4.CreateDecryptor();
                    for (var length = 0; length < 70; length++)
                    {
                        var message = Enumerable.Range(1, length).Select(i => (byte)i).ToArray();
                        if (padding == PaddingMode.None && length % 16 != 0)
                        {
                            Check.Throws<CryptographicException>(() => encryptor.TransformFinalBlock(message, 0, length));
                            continue;
                        }
                        var padded = padding == PaddingMode.PKCS7 ? length / 16 * 16 + 16 : (length + 15) / 16 * 16;
                        var ciphertext = encryptor.TransformFinalBlock(message, 0, length);
                        Check.Equal(padded, ciphertext.Length);
                        foreach (var piece in new[] { 1, 5, 16, 33 })
                        {
                            Check.Bytes(ciphertext, Through(sm4.CreateEncryptor(), message, piece), $"{mode} {padding} {length} {piece}");
                            Check.Bytes(message, Through(sm4.CreateDecryptor(), ciphertext, piece).AsSpan(0, length), $"{mode} {padding} {length} {piece}");
                        }
                        var opened = decryptor.TransformFinalBlock(ciphertext, 0, ciphertext.Length);
                        Check.Equal(padding == PaddingMode.PKCS7 ? length : padded, opened.Length);
                        Check.Bytes(message, opened.AsSpan(0, length));
                    }
                }
            }
        }

        [Test]
        internal static void InPlace()
        {
            foreach (var mode in new[] { CipherMode.CBC, CipherMode.ECB })
            {
                using var sm4 = new Sm4 { Mode = mode, Key = Key, IV = Iv };
                var message = Enumerable.Range(0, 64).Select(i => (byte)i).ToArray();
                var expected = sm4.CreateEncryptor().TransformFinalBlock(message, 0, 64);
                var buffer = (byte[])message.Clone();
                using var encryptor = sm4.CreateEncryptor();
                Check.Equal(64, encryptor.TransformBlock(buffer, 0, 64, buffer, 0));
                Check.Bytes(expected.AsSpan(0, 64), buffer);
                var last = encryptor.TransformFinalBlock(Array.Empty<byte>(), 0, 0);
                using var decryptor = sm4.CreateDecryptor();
                // One block is held back.
                Check.Equal(48, decryptor.TransformBlock(buffer, 0, 64, buffer, 0));
                Check.Bytes(message.AsSpan(0, 48), buffer.AsSpan(0, 48));
                Check.Bytes(message.AsSpan(48), decryptor.TransformFinalBlock(last, 0, 16));
                // With the output one block further.
                buffer = message.Concat(new byte[16]).ToArray();
                Check.Equal(64, encryptor.TransformBlock(buffer, 0, 64, buffer, 16));
                Check.Bytes(expected.AsSpan(0, 64), buffer.AsSpan(16));
            }
        }

        /// Each wrong last byte, a wrong length and nothing at all are one error with one text.
        [Test]
        internal static void Padding()
        {
            foreach (var mode in new[] { CipherMode.CBC, CipherMode.ECB })
            {
                using var sm4 = new Sm4 { Mode = mode, Key = Key, IV = Iv, Padding = PaddingMode.None };
                string? text = null;
                for (var last = 0; last < 256; last++)
                {
                    var block = new byte[32];
                    block[31] = (byte)last;
                    var ciphertext = sm4.CreateEncryptor().TransformFinalBlock(block, 0, 32);
                    using var padded = new Sm4 { Mode = mode, Key = Key, IV = Iv };
                    if (last == 1)
                    {
                        Check.Equal(31, padded.CreateDecryptor().TransformFinalBlock(ciphertext, 0, 32).Length);
                        continue;
                    }
                    var failure = Check.Throws<KuaimiException>(() => padded.CreateDecryptor().TransformFinalBlock(ciphertext, 0, 32), $"{mode} {last}");
                    Check.Equal(KuaimiErrorKind.DecryptionFailed, failure.Kind);
                    Check.Equal(text ??= failure.Message, failure.Message);
                }
                using var decryptor = new Sm4 { Mode = mode, Key = Key, IV = Iv }.CreateDecryptor();
                foreach (var length in new[] { 0, 1, 15, 17, 31 })
                {
                    Check.Equal(text, Check.Throws<KuaimiException>(() => decryptor.TransformFinalBlock(new byte[length], 0, length)).Message);
                }
            }
        }

        [Test]
        internal static void Generated()
        {
            using var sm4 = Sm4.Create();
            Check.Equal(16, sm4.Key.Length);
            Check.Equal(16, sm4.IV.Length);
            using var other = Sm4.Create();
            Check.False(sm4.Key.SequenceEqual(other.Key), "two keys are equal");
            Check.Equal(CipherMode.CBC, sm4.Mode);
            Check.Equal(PaddingMode.PKCS7, sm4.Padding);
            Check.Equal(128, sm4.KeySize);
            Check.Equal(128, sm4.BlockSize);
        }

        [Test]
        internal static void Wrong()
        {
            using var sm4 = new Sm4();
            Check.Throws<CryptographicException>(() => sm4.Key = new byte[32]);
            Check.Throws<CryptographicException>(() => sm4.IV = new byte[8]);
            Check.Throws<ArgumentNullException>(() => sm4.CreateEncryptor(null!, Iv));
            Check.Throws<ArgumentNullException>(() => sm4.CreateEncryptor(Key, null));
            Check.Throws<ArgumentException>(() => sm4.CreateEncryptor(new byte[15], Iv));
            Check.Throws<ArgumentException>(() => sm4.CreateEncryptor(Key, new byte[15]));
            Check.Throws<CryptographicException>(() => sm4.Mode = CipherMode.CTS);
            sm4.Padding = PaddingMode.ISO10126;
            Check.Throws<CryptographicException>(() => sm4.CreateEncryptor());
            sm4.Padding = PaddingMode.PKCS7;
            using var encryptor = sm4.CreateEncryptor(Key, Iv);
            Check.Throws<ArgumentNullException>(() => encryptor.TransformBlock(null!, 0, 16, new byte[16], 0));
            Check.Throws<ArgumentNullException>(() => encryptor.TransformBlock(new byte[16], 0, 16, null!, 0));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], 0, 15, new byte[16], 0));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], 0, 0, new byte[16], 0));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], 1, 16, new byte[16], 0));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], -1, 16, new byte[16], 0));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], 0, 16, new byte[16], 1));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], 0, 16, new byte[16], 17));
            Check.Throws<ArgumentException>(() => encryptor.TransformBlock(new byte[16], int.MaxValue, 16, new byte[16], 0));
            Check.Throws<ArgumentException>(() => encryptor.TransformFinalBlock(new byte[16], 16, 1));
            encryptor.Dispose();
            Check.Throws<ObjectDisposedException>(() => encryptor.TransformFinalBlock(new byte[16], 0, 16));
        }

        [Test]
        internal static void Counter()
        {
            var message = Enumerable.Range(0, 1000).Select(i => (byte)i).ToArray();
            using var whole = new Sm4Ctr(Key, Iv);
            var ciphertext = whole.TransformFinalBlock(message, 0, message.Length);
            Check.False(message.SequenceEqual(ciphertext), "nothing was encrypted");
            foreach (var piece in new[] { 1, 7, 64, 999 })
            {
                Check.Bytes(ciphertext, Through(new Sm4Ctr(Key, Iv), message, piece));
                Check.Bytes(message, Through(new Sm4Ctr(Key, Iv), ciphertext, piece));
            }
            using var stream = new Sm4Ctr(Key, Iv);
            stream.Transform(ciphertext, ciphertext);
            Check.Bytes(message, ciphertext);
            Check.Throws<ArgumentException>(() => stream.Transform(message, new byte[10]));
            Check.Throws<ArgumentException>(() => stream.Transform(message.AsSpan(0, 32), message.AsSpan(1)));
            Check.Throws<CryptographicException>(() => new Sm4Ctr(new byte[15], Iv));
            Check.Throws<ArgumentException>(() => new Sm4Ctr(Key, new byte[15]));
        }

        private static byte[] Through(ICryptoTransform transform, byte[] message, int piece)
        {
            using var output = new MemoryStream();
            using (var stream = new CryptoStream(output, transform, CryptoStreamMode.Write, leaveOpen: true))
            {
                for (var done = 0; done < message.Length; done += piece)
                {
                    stream.Write(message, done, Math.Min(piece, message.Length - done));
                }
            }
            transform.Dispose();
            return output.ToArray();
        }
    }
}
