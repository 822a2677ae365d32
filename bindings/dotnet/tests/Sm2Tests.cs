using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm2Tests
    {
        private const Sm2SignatureFormat Raw = Sm2SignatureFormat.IeeeP1363FixedFieldConcatenation;
        private static readonly byte[] Message = Repository.Utf8("a message");

        [Test]
        internal static void StandardSignature()
        {
            var one = Repository.Vectors("sm2").GetProperty("signature");
            var signature = one.Bytes("r").Concat(one.Bytes("s")).ToArray();
            var message = Repository.Utf8(one.Text("message_ascii"));
            using var key = Sm2.Create();
            key.ImportRawPublicKey(one.Bytes("px").Concat(one.Bytes("py")).ToArray());
            Check.False(key.HasPrivateKey);
            Check.True(key.VerifyData(message, signature, Raw));
            Check.True(key.VerifyData(message, signature, one.Text("id_ascii"), Raw));
            Check.Bytes(one.Bytes("e"), key.HashData(message));
            Check.Bytes(one.Bytes("e"), key.HashData(message, Repository.Utf8(one.Text("id_ascii"))));
            Check.True(key.VerifyHash(one.Bytes("e"), signature, Raw));
            using var own = Sm2.Create();
            own.ImportRawPrivateKey(one.Bytes("d"));
            Check.True(own.HasPrivateKey);
            Check.Bytes(key.ExportRawPublicKey(), own.ExportRawPublicKey());
            Check.Bytes(one.Bytes("d"), own.ExportRawPrivateKey());
        }

        [Test]
        internal static void StandardEncryption()
        {
            var one = Repository.Vectors("sm2").GetProperty("encryption");
            using var key = new Sm2();
            key.ImportRawPrivateKey(one.Bytes("d"));
            var message = Repository.Utf8(one.Text("message_ascii"));
            byte[] c1 = one.Bytes("c1"), c2 = one.Bytes("c2"), c3 = one.Bytes("c3");
            Check.Bytes(message, key.Decrypt(one.Bytes("der_gmt0009")));
            Check.Bytes(message, key.Decrypt(c1.Concat(c3).Concat(c2).ToArray(), Sm2CiphertextFormat.C1C3C2));
            Check.Bytes(message, key.Decrypt(c1.Concat(c2).Concat(c3).ToArray(), Sm2CiphertextFormat.C1C2C3));
            Check.Bytes(message, key.Decrypt(c1.Concat(c3).Concat(c2).Skip(1).ToArray(), Sm2CiphertextFormat.BareC1C3C2));
            Check.Bytes(message, key.Decrypt(c1.Concat(c2).Concat(c3).Skip(1).ToArray(), Sm2CiphertextFormat.BareC1C2C3));
            Check.Bytes(message, key.Decrypt(one.Bytes("der_gmt0009"), Sm2CiphertextFormat.Any));
        }

        [Test]
        internal static void Signatures()
        {
            using var key = Sm2.Create();
            using var other = Sm2.Create();
            foreach (var format in new[] { Sm2SignatureFormat.Rfc3279DerSequence, Raw })
            {
                for (var i = 0; i < 20; i++)
                {
                    var signature = key.SignData(Message, format);
                    Check.True(format == Raw ? signature.Length == 64 : signature[0] == 0x30 && signature.Length <= 72, "the shape");
                    Check.True(key.VerifyData(Message, signature, format));
                    Check.False(other.VerifyData(Message, signature, format));
                    Check.False(key.VerifyData(Repository.Utf8("another"), signature, format));
                    Check.False(key.VerifyData(Message, signature, "alice", format));
                    Check.False(key.VerifyData(Message, signature, 1 - format));
                    var flipped = (byte[])signature.Clone();
                    flipped[i] ^= 1;
                    Check.False(key.VerifyData(Message, flipped, format));
                    Check.True(key.VerifyHash(key.HashData(Message), signature, format));
                    Check.True(key.VerifyData(new MemoryStream(Message), signature, format));
                }
                Check.True(key.VerifyData(Message, key.SignHash(key.HashData(Message), format), format));
                Check.True(key.VerifyData(Message, key.SignData(new MemoryStream(Message), format), format));
                Check.True(key.VerifyData(Array.Empty<byte>(), key.SignData(Array.Empty<byte>(), format), format));
                for (var length = 0; length < 200; length++)
                {
                    Check.False(key.VerifyData(Message, new byte[length], format));
                }
            }
            Span<byte> destination = stackalloc byte[72];
            Check.True(key.TrySignData(Message, destination, out var written));
            Check.True(key.VerifyData(Message, destination.Slice(0, written)));
            Check.False(key.TrySignData(Message, destination.Slice(0, 63), out written, Raw));
            Check.Equal(0, written);
            Check.False(key.TrySignData(Message, default, out written));
            Check.True(key.TrySignData(Message, destination.Slice(0, 64), out written, Raw));
            Check.Equal(64, written);
        }

        [Test]
        internal static void Identities()
        {
            using var key = Sm2.Create();
            var names = new[] { "alice", "bob", string.Empty, "1234567812345678", new string('x', 8191) };
            foreach (var signer in names)
            {
                var signature = key.SignData(Message, signer);
                foreach (var name in names)
                {
                    Check.Equal(name == signer, key.VerifyData(Message, signature, name), $"{signer}, {name}");
                }
                // The default identity is not the empty one.
                Check.Equal(signer == "1234567812345678", key.VerifyData(Message, signature), signer);
                Check.True(key.VerifyHash(key.HashData(Message, Repository.Utf8(signer)), signature));
            }
            Check.Throws<ArgumentException>(() => key.SignData(Message, new string('x', 8192)));
            Check.Throws<ArgumentException>(() => key.VerifyData(Message, new byte[64], new byte[8192]));
            Check.Throws<ArgumentNullException>(() => key.SignData(Message, (string)null!));
            Check.Throws<ArgumentNullException>(() => key.SignData(Message, (byte[])null!));
            Check.Equal("it fits under the empty identity", key.ExplainSignature(Message, key.SignData(Message, string.Empty)));
        }

        [Test]
        internal static void Encryption()
        {
            using var key = Sm2.Create();
            using var other = Sm2.Create();
            using var everyone = Sm2.Create();
            everyone.ImportRawPublicKey(key.ExportRawPublicKey(compressed: true));
            foreach (var format in Enum.GetValues(typeof(Sm2CiphertextFormat)).Cast<Sm2CiphertextFormat>())
            {
                if (format == Sm2CiphertextFormat.Any || format == Sm2CiphertextFormat.DerLenient)
                {
                    Check.Throws<ArgumentException>(() => everyone.Encrypt(Message, format));
                    continue;
                }
                foreach (var length in new[] { 1, 31, 32, 33, 1000, 100_000 })
                {
                    var message = Enumerable.Repeat((byte)7, length).ToArray();
                    var ciphertext = everyone.Encrypt(message, format);
                    Check.Bytes(message, key.Decrypt(ciphertext, format));
                    Check.Fails(KuaimiErrorKind.DecryptionFailed, () => other.Decrypt(ciphertext, format));
                    ciphertext[ciphertext.Length - 1] ^= 1;
                    Check.Fails(KuaimiErrorKind.DecryptionFailed, () => key.Decrypt(ciphertext, format));
                }
                for (var length = 0; length < 130; length++)
                {
                    Check.Fails(KuaimiErrorKind.DecryptionFailed, () => key.Decrypt(new byte[length], format));
                }
            }
            Check.Throws<ArgumentException>(() => key.Encrypt(Array.Empty<byte>()));
            Check.Throws<ArgumentException>(() => key.Encrypt(Message, (Sm2CiphertextFormat)99));
            Check.Throws<CryptographicException>(() => everyone.Decrypt(new byte[100]));
            Check.Throws<ArgumentNullException>(() => key.Encrypt((byte[])null!));
            Check.Throws<ArgumentNullException>(() => key.Decrypt((byte[])null!));
        }

        [Test]
        internal static void RefusedElsewhere()
        {
            var refused = Repository.Vectors("refused");
            foreach (var one in refused.GetProperty("wrong_signatures").EnumerateArray().Append(refused.GetProperty("good_signature")))
            {
                using var key = Sm2.Create();
                var isRight = false;
                try
                {
                    key.ImportRawPublicKey(one.Bytes("public_key"));
                    isRight = key.VerifyData(one.Bytes("message"), one.Bytes("signature"), one.Bytes("id"));
                }
                catch (KuaimiException failure) when (failure.Kind == KuaimiErrorKind.NotOnCurve || failure.Kind == KuaimiErrorKind.PointEncoding)
                {
                }
                Check.Equal(!one.TryGetProperty("wrong", out var _), isRight, one.ToString());
            }
            foreach (var one in refused.GetProperty("wrong_ciphertexts").EnumerateArray())
            {
                using var key = Sm2.Create();
                key.ImportRawPrivateKey(one.Bytes("private_key"));
                Check.Fails(KuaimiErrorKind.DecryptionFailed, () => key.Decrypt(one.Bytes("ciphertext"), Sm2CiphertextFormat.C1C3C2));
            }
        }

        [Test]
        internal static void KeyExchange()
        {
            using var alice = Sm2.Create();
            using var bob = Sm2.Create();
            foreach (var length in new[] { 1, 16, 48, 1000 })
            {
                using var initiator = alice.StartKeyExchange(bob);
                using var responder = bob.RespondToKeyExchange(alice, initiator.Point, length);
                var key = initiator.Finish(responder.Point, responder.Confirmation, length, out var confirmation);
                Check.Bytes(key, responder.Confirm(confirmation));
                Check.Equal(length, key.Length);
                Check.Throws<InvalidOperationException>(() => initiator.FinishUnconfirmed(responder.Point, length));
                Check.Throws<InvalidOperationException>(() => responder.Confirm(confirmation));
            }
            byte[] a = Repository.Utf8("alice"), b = Repository.Utf8("bob");
            using (var initiator = alice.StartKeyExchange(bob, a, b))
            using (var responder = bob.RespondToKeyExchange(alice, initiator.Point, 16, b, a))
            {
                var key = initiator.FinishUnconfirmed(responder.Point, 16);
                Check.Bytes(key, responder.KeyUnconfirmed());
            }
            using (var initiator = alice.StartKeyExchange(bob, a, b))
            using (var responder = bob.RespondToKeyExchange(alice, initiator.Point, 16, a, b))
            {
                // The identities are the wrong way round.
                Check.Fails(KuaimiErrorKind.ConfirmationFailed, () => initiator.Finish(responder.Point, responder.Confirmation, 16, out _));
                Check.Fails(KuaimiErrorKind.ConfirmationFailed, () => responder.Confirm(new byte[32]));
            }
            using (var initiator = alice.StartKeyExchange(bob))
            {
                Check.Fails(KuaimiErrorKind.PointEncoding, () => bob.RespondToKeyExchange(alice, new byte[65], 16));
                Check.Throws<ArgumentException>(() => bob.RespondToKeyExchange(alice, initiator.Point, 0));
                Check.Throws<ArgumentNullException>(() => alice.StartKeyExchange(null!));
                Check.Throws<ArgumentException>(() => initiator.Finish(initiator.Point, new byte[31], 16, out _));
            }
        }

        [Test]
        internal static void Wrong()
        {
            var key = Sm2.Create();
            Check.Throws<ArgumentNullException>(() => key.SignData((byte[])null!));
            Check.Throws<ArgumentNullException>(() => key.SignData((Stream)null!));
            Check.Throws<ArgumentNullException>(() => key.SignHash((byte[])null!));
            Check.Throws<ArgumentNullException>(() => key.VerifyData((byte[])null!, new byte[1]));
            Check.Throws<ArgumentNullException>(() => key.VerifyData(Message, (byte[])null!));
            Check.Throws<ArgumentNullException>(() => key.VerifyHash(null!, new byte[1]));
            foreach (var length in new[] { 0, 31, 33 })
            {
                Check.Throws<ArgumentException>(() => key.SignHash(new byte[length]));
                Check.Throws<ArgumentException>(() => key.VerifyHash(new byte[length], new byte[64]));
            }
            Check.Throws<ArgumentException>(() => key.SignData(Message, (Sm2SignatureFormat)7));
            using var everyone = Sm2.Create();
            everyone.ImportSubjectPublicKeyInfo(key.ExportSubjectPublicKeyInfo(), out _);
            Check.Throws<CryptographicException>(() => everyone.SignData(Message));
            Check.Throws<CryptographicException>(() => everyone.ExportPkcs8PrivateKey());
            Check.Throws<CryptographicException>(() => everyone.StartKeyExchange(key));
            Check.Equal(256, key.KeySize);
            Check.Throws<CryptographicException>(() => key.KeySize = 384);
            var signature = key.SignData(Message);
            key.Dispose();
            key.Dispose();
            Check.Throws<ObjectDisposedException>(() => key.SignData(Message));
            Check.Throws<ObjectDisposedException>(() => key.SignData(Message, "alice"));
            Check.Throws<ObjectDisposedException>(() => key.VerifyData(Message, signature));
            Check.Throws<ObjectDisposedException>(() => key.Encrypt(Message));
            Check.Throws<ObjectDisposedException>(() => key.ExportRawPublicKey());
            Check.Throws<ObjectDisposedException>(() => key.ImportRawPrivateKey(Enumerable.Repeat((byte)1, 32).ToArray()));
            Check.Throws<ObjectDisposedException>(() => key.Prepare());
            var unused = Sm2.Create();
            unused.Dispose();
            Check.Throws<ObjectDisposedException>(() => unused.SignData(Message));
        }

        [Test]
        internal static void Prepared()
        {
            using var key = Sm2.Create();
            var signature = key.SignData(Message);
            key.Prepare();
            key.Prepare();
            Check.True(key.VerifyData(Message, signature));
            Check.False(key.VerifyData(Message.AsSpan(1), signature));
        }
    }
}
