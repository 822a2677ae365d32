using System;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm4AeadTests
    {
        private static readonly byte[] Key = Hex.From("0123456789ABCDEFFEDCBA9876543210");
        private static readonly byte[] Nonce = new byte[12];

        [Test]
        internal static void Rfc8998()
        {
            foreach (var one in Repository.Vectors("sm4_modes").GetProperty("aead").EnumerateArray())
            {
                byte[] plaintext = one.Bytes("plaintext"), ciphertext = new byte[plaintext.Length], tag = new byte[16], opened = new byte[plaintext.Length];
                byte[] nonce = one.Bytes("nonce"), associated = one.Bytes("associated_data");
                if (one.Text("mode") == "gcm")
                {
                    using var gcm = new Sm4Gcm(one.Bytes("key"));
                    gcm.Encrypt(nonce, plaintext, ciphertext, tag, associated);
                    gcm.Decrypt(nonce, ciphertext, tag, opened, associated);
                }
                else
                {
                    using var ccm = new Sm4Ccm(one.Bytes("key"));
                    ccm.Encrypt(nonce, plaintext, ciphertext, tag, associated);
                    ccm.Decrypt(nonce, ciphertext, tag, opened, associated);
                }
                Check.Bytes(one.Bytes("ciphertext"), ciphertext);
                Check.Bytes(one.Bytes("tag"), tag);
                Check.Bytes(plaintext, opened);
            }
        }

        [Test]
        internal static void Wycheproof()
        {
            foreach (var mode in new[] { "sm4_gcm", "sm4_ccm" })
            {
                int right = 0, wrong = 0;
                foreach (var one in Repository.Vectors("wycheproof").GetProperty(mode).GetProperty("cases").EnumerateArray())
                {
                    var parts = Enumerable.Range(0, 6).Select(i => Hex.From(one[i].GetString()!)).ToArray();
                    byte[] key = parts[0], nonce = parts[1], associated = parts[2], plaintext = parts[3], ciphertext = parts[4], tag = parts[5];
                    var opened = Enumerable.Repeat((byte)0xa5, ciphertext.Length).ToArray();
                    try
                    {
                        if (mode == "sm4_gcm")
                        {
                            using var gcm = new Sm4Gcm(key);
                            gcm.Decrypt(nonce, ciphertext, tag, opened, associated);
                        }
                        else
                        {
                            using var ccm = new Sm4Ccm(key);
                            ccm.Decrypt(nonce, ciphertext, tag, opened, associated);
                        }
                        Check.True(one[6].GetBoolean(), one + " is refused");
                        Check.Bytes(plaintext, opened, one.ToString());
                        right++;
                    }
                    catch (Exception failure) when (failure is CryptographicException || failure is ArgumentException)
                    {
                        Check.False(one[6].GetBoolean(), one + " is accepted: " + failure.Message);
                        if (failure is CryptographicException)
                        {
                            Check.Zeros(opened);
                        }
                        wrong++;
                    }
                }
                Check.True(right > 20 && wrong > 20, "enough cases");
            }
        }

        /// Whatever is altered, the error is the same, and the place of the plaintext has zeros, also where that is the ciphertext's.
        [Test]
        internal static void Forged()
        {
            var message = Enumerable.Range(1, 40).Select(i => (byte)i).ToArray();
            byte[] ciphertext = new byte[40], tag = new byte[16], associated = { 1, 2, 3 };
            using var gcm = new Sm4Gcm(Key);
            gcm.Encrypt(Nonce, message, ciphertext, tag, associated);
            string? text = null;
            void Refused(byte[] nonce, byte[] altered, byte[] alteredTag, byte[]? alteredData)
            {
                var opened = Enumerable.Repeat((byte)0xa5, altered.Length).ToArray();
                var failure = Check.Throws<KuaimiException>(() => gcm.Decrypt(nonce, altered, alteredTag, opened, alteredData));
                Check.Equal(KuaimiErrorKind.DecryptionFailed, failure.Kind);
                Check.Equal(text ??= failure.Message, failure.Message);
                Check.Zeros(opened);
                var place = (byte[])altered.Clone();
                Check.Throws<CryptographicException>(() => gcm.Decrypt(nonce, place, alteredTag, place, alteredData));
                Check.Zeros(place);
            }
            for (var i = 0; i < 16; i++)
            {
                Refused(Nonce, ciphertext, Flipped(tag, i), associated);
            }
            for (var i = 0; i < 40; i++)
            {
                Refused(Nonce, Flipped(ciphertext, i), tag, associated);
            }
            Refused(Flipped(Nonce, 3), ciphertext, tag, associated);
            Refused(Nonce, ciphertext, tag, Flipped(associated, 0));
            Refused(Nonce, ciphertext, tag, null);
            Refused(Nonce, ciphertext.AsSpan(0, 39).ToArray(), tag, associated);
        }

        [Test]
        internal static void InPlace()
        {
            var buffer = Enumerable.Range(1, 1000).Select(i => (byte)i).ToArray();
            var message = (byte[])buffer.Clone();
            var tag = new byte[16];
            using var gcm = new Sm4Gcm(Key);
            using var ccm = new Sm4Ccm(Key);
            gcm.Encrypt(Nonce, buffer, buffer, tag);
            gcm.Decrypt(Nonce, buffer, tag, buffer);
            Check.Bytes(message, buffer);
            ccm.Encrypt(Nonce, buffer, buffer, tag);
            ccm.Decrypt(Nonce, buffer, tag, buffer);
            Check.Bytes(message, buffer);
            // Nothing at all is a message, too.
            gcm.Encrypt(Nonce, Array.Empty<byte>(), Array.Empty<byte>(), tag);
            gcm.Decrypt(Nonce, Array.Empty<byte>(), tag, Array.Empty<byte>());
        }

        [Test]
        internal static void CcmTags()
        {
            using var ccm = new Sm4Ccm(Key);
            byte[] message = { 1, 2, 3 }, ciphertext = new byte[3], opened = new byte[3];
            for (var length = 0; length <= 18; length++)
            {
                var tag = new byte[length];
                if (length >= 4 && length <= 16 && length % 2 == 0)
                {
                    ccm.Encrypt(Nonce, message, ciphertext, tag);
                    ccm.Decrypt(Nonce, ciphertext, tag, opened);
                    Check.Bytes(message, opened);
                    tag[length - 1] ^= 1;
                    Check.Fails(KuaimiErrorKind.DecryptionFailed, () => ccm.Decrypt(Nonce, ciphertext, tag, opened));
                    Check.Zeros(opened);
                }
                else
                {
                    message.CopyTo(ciphertext, 0);
                    Check.Throws<ArgumentException>(() => ccm.Encrypt(Nonce, message, ciphertext, tag));
                    Check.Zeros(ciphertext);
                }
            }
        }

        [Test]
        internal static void Wrong()
        {
            Check.Throws<ArgumentNullException>(() => new Sm4Gcm((byte[])null!));
            foreach (var length in new[] { 0, 15, 17, 24, 32 })
            {
                Check.Fails(KuaimiErrorKind.KeyLength, () => new Sm4Gcm(new byte[length]));
                Check.Fails(KuaimiErrorKind.KeyLength, () => new Sm4Ccm(new byte[length]));
            }
            var gcm = new Sm4Gcm(Key);
            byte[] data = new byte[20], output = new byte[20], tag = new byte[16];
            Check.Throws<ArgumentNullException>(() => gcm.Encrypt(null!, data, output, tag));
            Check.Throws<ArgumentNullException>(() => gcm.Encrypt(Nonce, null!, output, tag));
            Check.Throws<ArgumentNullException>(() => gcm.Encrypt(Nonce, data, null!, tag));
            Check.Throws<ArgumentNullException>(() => gcm.Encrypt(Nonce, data, output, null!));
            Check.Throws<ArgumentNullException>(() => gcm.Decrypt(Nonce, data, tag, null!));
            Check.Throws<ArgumentNullException>(() => gcm.Decrypt(Nonce, data, null!, output));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Nonce, data, new byte[19], tag));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Nonce, data, new byte[21], tag));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Nonce, data, output, new byte[15]));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Nonce, data, output, new byte[17]));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Array.Empty<byte>(), data, output, tag));
            Check.Throws<ArgumentException>(() => gcm.Decrypt(Nonce, data, new byte[12], output));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Nonce, data.AsSpan(0, 10), data.AsSpan(1, 10), tag));
            Check.Throws<ArgumentException>(() => gcm.Encrypt(Nonce, data.AsSpan(0, 4), output.AsSpan(0, 4), output.AsSpan(3, 16)));
            gcm.Dispose();
            gcm.Dispose();
            Check.Throws<ObjectDisposedException>(() => gcm.Encrypt(Nonce, data, output, tag));
            Check.Throws<ObjectDisposedException>(() => gcm.Decrypt(Nonce, data, tag, output));
            using var ccm = new Sm4Ccm(Key);
            Check.Throws<ArgumentException>(() => ccm.Encrypt(new byte[6], data, output, tag));
            Check.Throws<ArgumentException>(() => ccm.Encrypt(new byte[14], data, output, tag));
            Check.Throws<ArgumentException>(() => ccm.Encrypt(new byte[13], new byte[65536], new byte[65536], tag));
        }

        private static byte[] Flipped(byte[] bytes, int place)
        {
            var result = (byte[])bytes.Clone();
            result[place] ^= 0x10;
            return result;
        }
    }
}
