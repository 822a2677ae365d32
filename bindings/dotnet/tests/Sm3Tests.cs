using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm3Tests
    {
        [Test]
        internal static void Standard()
        {
            var cases = Repository.Vectors("sm3_sm4").GetProperty("sm3").EnumerateArray().ToList();
            Check.Equal(2, cases.Count);
            foreach (var one in cases)
            {
                Check.Bytes(one.Bytes("digest"), Sm3.HashData(one.Bytes("message")));
                using var hash = Sm3.Create();
                Check.Bytes(one.Bytes("digest"), hash.ComputeHash(one.Bytes("message")));
            }
        }

        [Test]
        internal static void Pieces()
        {
            var message = Enumerable.Range(0, 100_000).Select(i => (byte)(i * 7)).ToArray();
            var expected = Sm3.HashData(message);
            using HashAlgorithm hash = new Sm3();
            // The second round shows that the hash is as new after the first.
            for (var round = 0; round < 2; round++)
            {
                for (int done = 0, size = 0; done < message.Length; done += size, size++)
                {
                    hash.TransformBlock(message, done, Math.Min(size, message.Length - done), null, 0);
                }
                hash.TransformFinalBlock(Array.Empty<byte>(), 0, 0);
                Check.Bytes(expected, hash.Hash);
            }
            Check.Bytes(expected, hash.ComputeHash(new MemoryStream(message)));
            Check.Bytes(expected, Sm3.HashData(new MemoryStream(message)));
            Check.Equal(256, hash.HashSize);
        }

        [Test]
        internal static void InitializeForgets()
        {
            using var hash = new Sm3();
            hash.TransformBlock(new byte[10], 0, 10, null, 0);
            hash.Initialize();
            Check.Bytes(Sm3.HashData(new byte[3]), hash.ComputeHash(new byte[3]));
        }

        [Test]
        internal static void CryptoStreams()
        {
            var message = new byte[70_000];
            using var hash = new Sm3();
            using (var stream = new CryptoStream(Stream.Null, hash, CryptoStreamMode.Write))
            {
                stream.Write(message, 0, message.Length);
            }
            Check.Bytes(Sm3.HashData(message), hash.Hash);
        }

        [Test]
        internal static void Destinations()
        {
            var digest = new byte[33];
            Check.False(Sm3.TryHashData(default, digest.AsSpan(0, 31), out var written));
            Check.Equal(0, written);
            Check.Zeros(digest);
            Check.True(Sm3.TryHashData(default, digest, out written));
            Check.Equal(32, written);
            Check.Equal((byte)0, digest[32]);
            Check.Throws<ArgumentException>(() => Sm3.HashData(default, new byte[31]));
        }

        [Test]
        internal static void Wrong()
        {
            Check.Throws<ArgumentNullException>(() => Sm3.HashData((byte[])null!));
            Check.Throws<ArgumentNullException>(() => Sm3.HashData((Stream)null!));
            var hash = new Sm3();
            hash.Dispose();
            hash.Dispose();
            Check.Throws<ObjectDisposedException>(() => hash.ComputeHash(new byte[1]));
            Check.Throws<ObjectDisposedException>(() => hash.TransformBlock(new byte[1], 0, 1, null, 0));
        }

        [Test]
        internal static void KeyDerivation()
        {
            // The standard's first block is SM3(Z ‖ 1).
            var z = Repository.Utf8("a secret");
            var key = new byte[40];
            Sm3.DeriveKey(z, key);
            Check.Bytes(Sm3.HashData(z.Concat(new byte[] { 0, 0, 0, 1 }).ToArray()), key.AsSpan(0, 32));
            Check.Bytes(Sm3.HashData(z.Concat(new byte[] { 0, 0, 0, 2 }).ToArray()).AsSpan(0, 8), key.AsSpan(32));
        }
    }

    internal static class HmacSm3Tests
    {
        [Test]
        internal static void Wycheproof()
        {
            var tested = 0;
            foreach (var one in Repository.Vectors("wycheproof").GetProperty("hmac_sm3").GetProperty("cases").EnumerateArray())
            {
                byte[] key = Hex.From(one[0].GetString()!), message = Hex.From(one[1].GetString()!), tag = Hex.From(one[2].GetString()!);
                if (tag.Length == 32)
                {
                    Check.Equal(one[3].GetBoolean(), HmacSm3.VerifyData(key, message, tag), one.ToString());
                    using HMAC hmac = new HmacSm3(key);
                    Check.Equal(one[3].GetBoolean(), hmac.ComputeHash(message).SequenceEqual(tag), one.ToString());
                    Check.Equal(one[3].GetBoolean(), HmacSm3.HashData(key, message).SequenceEqual(tag), one.ToString());
                    tested++;
                }
            }
            Check.True(tested > 50, "enough cases");
        }

        [Test]
        internal static void Keys()
        {
            var key = new byte[] { 1, 2, 3 };
            using var hmac = new HmacSm3(key);
            Check.Equal("SM3", hmac.HashName);
            key[0] = 9;
            Check.Bytes(new byte[] { 1, 2, 3 }, hmac.Key, "a copy");
            hmac.TransformBlock(new byte[5], 0, 5, null, 0);
            Check.Throws<CryptographicException>(() => hmac.Key = key);
            hmac.Initialize();
            hmac.Key = key;
            Check.Bytes(HmacSm3.HashData(key, new byte[2]), hmac.ComputeHash(new byte[2]));
            Check.Throws<ArgumentNullException>(() => hmac.Key = null!);
            Check.Throws<ArgumentNullException>(() => new HmacSm3(null!));
            Check.False(HmacSm3.VerifyData(key, default, new byte[31]));
            Check.False(HmacSm3.VerifyData(key, default, default));
            hmac.Dispose();
            Check.Throws<ObjectDisposedException>(() => hmac.ComputeHash(key));
            Check.Throws<ObjectDisposedException>(() => hmac.Key[0]++);
            Check.Throws<ObjectDisposedException>(() => hmac.Key = key);
        }
    }
}
