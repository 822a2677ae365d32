using System;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class Sm9Tests
    {
        private static readonly byte[] Message = Repository.Utf8("a message");

        [Test]
        internal static void StandardSignature()
        {
            var one = Repository.Vectors("sm9").GetProperty("signature");
            using var master = Sm9MasterSigningKey.ImportRaw(one.Bytes("ks"));
            using var everyone = master.GetPublicKey();
            Check.Bytes(one.Bytes("p_pub_s"), everyone.Export(Sm9KeyFormat.Raw));
            using var user = master.Extract(one.Text("id_ascii"));
            Check.Bytes(one.Bytes("ds"), user.Export(Sm9KeyFormat.Raw));
            using var verifier = everyone.ForUser(one.Text("id_ascii"));
            var message = Repository.Utf8(one.Text("message_ascii"));
            Check.True(verifier.VerifyData(message, one.Bytes("h").Concat(one.Bytes("s")).ToArray(), Sm9SignatureFormat.Raw));
        }

        [Test]
        internal static void StandardEncryption()
        {
            var one = Repository.Vectors("sm9").GetProperty("encryption");
            using var master = Sm9MasterEncryptionKey.ImportRaw(one.Bytes("ke"));
            using var user = master.Extract(Repository.Utf8(one.Text("id_ascii")), 3);
            var message = Repository.Utf8(one.Text("message_ascii"));
            foreach (var (name, mode) in new[] { ("stream_kdf", Sm9EncryptionMode.Stream), ("sm4_ecb_pkcs7", Sm9EncryptionMode.Ecb) })
            {
                var options = new Sm9EncryptionOptions { Mode = mode, Format = Sm9CiphertextFormat.Raw };
                Check.Bytes(message, user.Decrypt(one.GetProperty(name).Bytes("c1_c3_c2"), options), name);
            }
            var encapsulation = Repository.Vectors("sm9").GetProperty("key_encapsulation");
            Check.Bytes(encapsulation.Bytes("k"), user.Decapsulate(encapsulation.Bytes("c"), 32));
        }

        [Test]
        internal static void Signatures()
        {
            using var master = Sm9MasterSigningKey.Generate();
            using var everyone = master.GetPublicKey();
            using var user = master.Extract("alice");
            using var alice = everyone.ForUser("alice");
            using var bob = everyone.ForUser("bob");
            everyone.Prepare();
            user.Prepare();
            alice.Prepare();
            foreach (var format in new[] { Sm9SignatureFormat.Der, Sm9SignatureFormat.Raw })
            {
                var signature = user.SignData(Message, format);
                Check.Equal(format == Sm9SignatureFormat.Der ? 104 : 96, signature.Length);
                Check.True(alice.VerifyData(Message, signature, format));
                Check.False(bob.VerifyData(Message, signature, format));
                Check.False(alice.VerifyData(new byte[3], signature, format));
                Check.False(alice.VerifyData(Message, signature, 3 - format));
                for (var length = 0; length < signature.Length + 3; length++)
                {
                    Check.False(alice.VerifyData(Message, new byte[length], format));
                }
                signature[20] ^= 1;
                Check.False(alice.VerifyData(Message, signature, format));
            }
            Check.Throws<ArgumentException>(() => user.SignData(Message, (Sm9SignatureFormat)9));
        }

        [Test]
        internal static void Encryption()
        {
            using var master = Sm9MasterEncryptionKey.Generate();
            using var everyone = master.GetPublicKey();
            using var alice = master.Extract("alice");
            using var bob = master.Extract("bob");
            using var toAlice = everyone.ForUser("alice");
            everyone.Prepare();
            toAlice.Prepare();
            alice.Prepare();
            foreach (var mode in Enum.GetValues(typeof(Sm9EncryptionMode)).Cast<Sm9EncryptionMode>())
            {
                foreach (var mac in new[] { Sm9Mac.Sm3, Sm9Mac.HmacSm3 })
                {
                    foreach (var format in new[] { Sm9CiphertextFormat.Der, Sm9CiphertextFormat.Raw })
                    {
                        var options = new Sm9EncryptionOptions { Mode = mode, Mac = mac, Format = format };
                        foreach (var length in new[] { 1, 15, 16, 17, 5000 })
                        {
                            var message = Enumerable.Repeat((byte)3, length).ToArray();
                            var ciphertext = toAlice.Encrypt(message, options);
                            Check.Bytes(message, alice.Decrypt(ciphertext, options));
                            Check.Fails(KuaimiErrorKind.DecryptionFailed, () => bob.Decrypt(ciphertext, options));
                            ciphertext[ciphertext.Length - 1] ^= 1;
                            Check.Fails(KuaimiErrorKind.DecryptionFailed, () => alice.Decrypt(ciphertext, options));
                        }
                    }
                }
            }
            for (var length = 0; length < 150; length++)
            {
                Check.Fails(KuaimiErrorKind.DecryptionFailed, () => alice.Decrypt(new byte[length]));
            }
            Check.Bytes(Message, alice.Decrypt(toAlice.Encrypt(Message)));
            Check.Throws<ArgumentException>(() => toAlice.Encrypt(Array.Empty<byte>()));
            Check.Throws<ArgumentException>(() => toAlice.Encrypt(Message, new Sm9EncryptionOptions { Mode = (Sm9EncryptionMode)3 }));
            var key = toAlice.Encapsulate(32, out var encapsulation);
            Check.Bytes(key, alice.Decapsulate(encapsulation, 32));
            Check.False(key.SequenceEqual(bob.Decapsulate(encapsulation, 32)));
            Check.Fails(KuaimiErrorKind.DecryptionFailed, () => alice.Decapsulate(new byte[65], 32));
            Check.Throws<ArgumentException>(() => alice.Decapsulate(encapsulation, 0));
            Check.Throws<ArgumentException>(() => toAlice.Encapsulate(-1, out _));
        }

        [Test]
        internal static void KeyExchange()
        {
            byte[] a = Repository.Utf8("alice"), b = Repository.Utf8("bob");
            using var master = Sm9MasterEncryptionKey.Generate();
            using var alice = master.ExtractExchangeKey("alice");
            using var bob = master.ExtractExchangeKey("bob");
            alice.Prepare();
            using (var initiator = alice.StartKeyExchange(b))
            using (var responder = bob.RespondToKeyExchange(a, initiator.Point, 40))
            {
                var key = initiator.Finish(responder.Point, responder.Confirmation, 40, out var confirmation);
                Check.Bytes(key, responder.Confirm(confirmation));
                Check.Throws<InvalidOperationException>(() => responder.KeyUnconfirmed());
            }
            using (var initiator = alice.StartKeyExchange(b))
            using (var responder = bob.RespondToKeyExchange(b, initiator.Point, 16))
            {
                Check.Fails(KuaimiErrorKind.ConfirmationFailed, () => initiator.Finish(responder.Point, responder.Confirmation, 16, out _));
            }
            Check.Fails(KuaimiErrorKind.PointEncoding, () => bob.RespondToKeyExchange(a, new byte[10], 16));
            Check.Throws<ArgumentException>(() => alice.StartKeyExchange(default));
        }

        [Test]
        internal static void Files()
        {
            byte[] alice = Repository.Utf8("alice"), bob = Repository.Utf8("bob");
            using var signing = Sm9MasterSigningKey.Generate();
            using var encryption = Sm9MasterEncryptionKey.Generate();
            using var signer = signing.Extract(alice);
            using var decryptor = encryption.Extract(alice);
            using var exchanger = encryption.ExtractExchangeKey(alice);
            using var verifying = signing.GetPublicKey();
            using var encrypting = encryption.GetPublicKey();
            var number = signing.Export(Sm9KeyFormat.Raw);
            foreach (var format in new[] { Sm9KeyFormat.Pkcs8Der, Sm9KeyFormat.Pkcs8Pem })
            {
                Check.Bytes(number, Sm9MasterSigningKey.Import(signing.Export(format)).Export(Sm9KeyFormat.Raw));
                Check.Bytes(encryption.Export(), Sm9MasterEncryptionKey.Import(encryption.Export(format)).Export());
                Check.Bytes(signer.Export(), Sm9SigningKey.Import(signer.Export(format), alice).Export());
                Check.Bytes(decryptor.Export(), Sm9DecryptionKey.Import(decryptor.Export(format), alice).Export());
                Check.Bytes(exchanger.Export(), Sm9ExchangeKey.Import(exchanger.Export(format), alice).Export());
            }
            foreach (var format in new[] { Sm9KeyFormat.SubjectPublicKeyInfoDer, Sm9KeyFormat.SubjectPublicKeyInfoPem, Sm9KeyFormat.GmsslPem })
            {
                Check.Bytes(verifying.Export(), Sm9MasterSigningPublicKey.Import(verifying.Export(format)).Export());
                Check.Bytes(encrypting.Export(), Sm9MasterEncryptionPublicKey.Import(encrypting.Export(format)).Export());
            }
            Check.Bytes(verifying.Export(), Sm9MasterSigningPublicKey.ImportRaw(verifying.Export(Sm9KeyFormat.Uncompressed)).Export());
            Check.Bytes(encrypting.Export(), Sm9MasterEncryptionPublicKey.ImportRaw(encrypting.Export(Sm9KeyFormat.Raw)).Export());
            Check.Bytes(signer.Export(), Sm9SigningKey.ImportRaw(verifying, signer.Export(Sm9KeyFormat.Raw), alice).Export());
            Check.Bytes(decryptor.Export(), Sm9DecryptionKey.ImportRaw(encrypting, decryptor.Export(Sm9KeyFormat.Raw), alice).Export());
            Check.Bytes(exchanger.Export(), Sm9ExchangeKey.ImportRaw(encrypting, exchanger.Export(Sm9KeyFormat.Raw), alice).Export());
            Check.Fails(KuaimiErrorKind.UserKeyMismatch, () => Sm9SigningKey.Import(signer.Export(), bob));
            Check.Fails(KuaimiErrorKind.UserKeyMismatch, () => Sm9DecryptionKey.ImportRaw(encrypting, decryptor.Export(Sm9KeyFormat.Raw), bob));
            Check.Throws<CryptographicException>(() => Sm9MasterSigningKey.Import(encryption.Export()));
            Check.Throws<CryptographicException>(() => Sm9SigningKey.Import(decryptor.Export(), alice));
            Check.Throws<CryptographicException>(() => Sm9MasterSigningPublicKey.Import(new byte[40]));
            Check.Throws<ArgumentNullException>(() => Sm9SigningKey.ImportRaw(null!, default, alice));
            Check.Throws<ArgumentException>(() => signing.Export(Sm9KeyFormat.GmsslPem));

            var encrypted = signer.ExportEncryptedPem("p".AsSpan());
            Check.Bytes(signer.Export(), Sm9SigningKey.Import(encrypted, alice, "p".AsSpan()).Export());
            Check.Fails(KuaimiErrorKind.WrongPassword, () => Sm9SigningKey.Import(encrypted, alice, "q".AsSpan()));
            Check.Fails(KuaimiErrorKind.PasswordNeeded, () => Sm9SigningKey.Import(encrypted, alice));
            Check.Bytes(encryption.Export(), Sm9MasterEncryptionKey.Import(encryption.ExportEncryptedPem("p".AsSpan()), "p".AsSpan()).Export());
        }

        [Test]
        internal static void Wrong()
        {
            using var master = Sm9MasterSigningKey.Generate();
            Check.Throws<ArgumentException>(() => master.Extract(string.Empty));
            Check.Throws<ArgumentException>(() => master.Extract(default(ReadOnlySpan<byte>)));
            Check.Throws<ArgumentNullException>(() => master.Extract((string)null!));
            Check.Fails(KuaimiErrorKind.KeyLength, () => Sm9MasterSigningKey.ImportRaw(new byte[31]));
            Check.Fails(KuaimiErrorKind.PrivateKeyRange, () => Sm9MasterSigningKey.ImportRaw(new byte[32]));
            var user = master.Extract("alice");
            Check.Throws<ArgumentNullException>(() => user.SignData((byte[])null!));
            user.Dispose();
            user.Dispose();
            Check.Throws<ObjectDisposedException>(() => user.SignData(Message));
            master.Dispose();
            Check.Throws<ObjectDisposedException>(() => master.Extract("alice"));
        }
    }
}
