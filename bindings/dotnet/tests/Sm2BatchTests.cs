using System;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm2BatchTests
    {
        /// More than two calls' worth, keys in turn, both formats; every seventh is wrong in some way.
        [Test]
        internal static void Mixed()
        {
            var keys = Enumerable.Range(0, 5).Select(_ => Sm2.Create()).ToArray();
            var items = new Sm2VerifyItem[2500];
            var expected = new bool[items.Length];
            for (var i = 0; i < items.Length; i++)
            {
                var key = keys[i % 5];
                var format = (Sm2SignatureFormat)(i / 5 % 2);
                var message = Enumerable.Repeat((byte)i, i % 300).ToArray();
                var signature = key.SignData(message, format);
                expected[i] = i % 7 != 0;
                switch (i % 35)
                {
                    case 0:
                        message = new byte[301];
                        break;
                    case 7:
                        signature[signature.Length - 1] ^= 1;
                        break;
                    case 14:
                        key = keys[(i + 1) % 5];
                        break;
                    case 21:
                        signature = new byte[i % 2 * 1000];
                        break;
                    case 28:
                        signature = signature.Concat(new byte[1]).ToArray();
                        break;
                }
                items[i] = new Sm2VerifyItem(key, message, signature, format);
            }
            Check.True(expected.SequenceEqual(Sm2.VerifyBatch(items)), "the verdicts");
            Check.Equal(0, Sm2.VerifyBatch(default).Length);
            foreach (var key in keys)
            {
                key.Dispose();
            }
            Check.Throws<ObjectDisposedException>(() => Sm2.VerifyBatch(items));
        }

        [Test]
        internal static void LargeMessages()
        {
            using var key = Sm2.Create();
            var messages = new[] { 10, 700_000, 700_000, 3_000_000, 0, 1 << 20, (1 << 20) + 1, 5 }.Select(length => (ReadOnlyMemory<byte>)new byte[length]).ToArray();
            var signatures = key.SignBatch(messages);
            var items = messages.Zip(signatures, (message, signature) => new Sm2VerifyItem(key, message, signature)).ToArray();
            Check.True(Sm2.VerifyBatch(items).All(right => right), "all are right");
            items[3] = new Sm2VerifyItem(key, new byte[3_000_001], signatures[3]);
            Check.Equal("1,1,1,0,1,1,1,1", string.Join(',', Sm2.VerifyBatch(items).Select(right => right ? 1 : 0)));
        }

        [Test]
        internal static void Signing()
        {
            using var key = Sm2.Create();
            var messages = Enumerable.Range(0, 1500).Select(i => (ReadOnlyMemory<byte>)BitConverter.GetBytes(i)).ToArray();
            foreach (var format in new[] { Sm2SignatureFormat.Rfc3279DerSequence, Sm2SignatureFormat.IeeeP1363FixedFieldConcatenation })
            {
                var signatures = key.SignBatch(messages, format);
                Check.Equal(messages.Length, signatures.Length);
                for (var i = 0; i < messages.Length; i++)
                {
                    Check.True(key.VerifyData(messages[i].Span, signatures[i], format));
                }
            }
            Check.Equal(0, key.SignBatch(default).Length);
            using var everyone = Sm2.Create();
            everyone.ImportRawPublicKey(key.ExportRawPublicKey());
            Check.Throws<CryptographicException>(() => everyone.SignBatch(messages));
        }

        [Test]
        internal static void Wrong()
        {
            using var key = Sm2.Create();
            var items = new Sm2VerifyItem[2];
            Check.Throws<ArgumentException>(() => Sm2.VerifyBatch(items));
            items = new[] { new Sm2VerifyItem(key, default, default) };
            Check.Throws<ArgumentException>(() => Sm2.VerifyBatch(items, new bool[2]));
            Check.Throws<ArgumentNullException>(() => new Sm2VerifyItem(null!, default, default));
            Check.Equal(false, Sm2.VerifyBatch(items)[0]);
            // Nothing that was there before is left where a call fails.
            var verdicts = new[] { true };
            items = new[] { new Sm2VerifyItem(key, default, default, (Sm2SignatureFormat)9) };
            Check.Throws<ArgumentException>(() => Sm2.VerifyBatch(items, verdicts));
            Check.False(verdicts[0]);
        }
    }
}
