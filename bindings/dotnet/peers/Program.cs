// Both ways with Bouncy Castle, on random cases, and the time of each. `BOUNCYCASTLE=FOLDER scripts/dotnet-test` runs it, where the folder
// has BouncyCastle.Cryptography.dll.

using System;
using System.Diagnostics;
using System.Linq;
using System.Security.Cryptography;
using Org.BouncyCastle.Asn1.GM;
using Org.BouncyCastle.Crypto;
using Org.BouncyCastle.Crypto.Digests;
using Org.BouncyCastle.Crypto.Engines;
using Org.BouncyCastle.Crypto.Macs;
using Org.BouncyCastle.Crypto.Modes;
using Org.BouncyCastle.Crypto.Paddings;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Signers;
using Org.BouncyCastle.Math;

namespace Kuaimi.Peers
{
    internal static class Program
    {
        private const int Cases = 200;
        private static readonly Random Random = new Random(1);
        private static readonly ECDomainParameters Curve = Domain();

        private static int Main()
        {
            for (var i = 0; i < Cases; i++)
            {
                byte[] message = Bytes(Random.Next(1, 300)), identity = Bytes(Random.Next(0, 40)), key = Bytes(16), iv = Bytes(16), associated = Bytes(Random.Next(40));
                Equal(Digest(message), Sm3.HashData(message), "SM3");
                Equal(Hmac(identity, message), HmacSm3.HashData(identity, message), "HMAC");
                Gcm(key, iv.AsSpan(0, 12).ToArray(), associated, message);
                Cbc(key, iv, message);
                Signatures(message, identity);
                Encryption(message);
            }
            Console.WriteLine($"Bouncy Castle {typeof(SM2Signer).Assembly.GetName().Version}: {Cases} cases of each, both ways");
            Times();
            return 0;
        }

        private static void Signatures(byte[] message, byte[] identity)
        {
            using var ours = Sm2.Create();
            var (secret, point) = Theirs(ours);
            var signer = new SM2Signer();
            signer.Init(true, new ParametersWithID(secret, identity));
            signer.BlockUpdate(message, 0, message.Length);
            var signature = signer.GenerateSignature();
            True(ours.VerifyData(message, signature, identity), "a signature of Bouncy Castle");
            signature[signature.Length - 1] ^= 1;
            True(!ours.VerifyData(message, signature, identity), "an altered signature");
            signer.Init(false, new ParametersWithID(point, identity));
            signer.BlockUpdate(message, 0, message.Length);
            True(signer.VerifySignature(ours.SignData(message, identity)), "our signature");
        }

        private static void Encryption(byte[] message)
        {
            using var ours = Sm2.Create();
            var (secret, point) = Theirs(ours);
            foreach (var (mode, format) in new[] { (SM2Engine.Mode.C1C3C2, Sm2CiphertextFormat.C1C3C2), (SM2Engine.Mode.C1C2C3, Sm2CiphertextFormat.C1C2C3) })
            {
                var engine = new SM2Engine(mode);
                engine.Init(true, new ParametersWithRandom(point));
                Equal(message, ours.Decrypt(engine.ProcessBlock(message, 0, message.Length), format), "a ciphertext of Bouncy Castle");
                engine.Init(false, secret);
                var ciphertext = ours.Encrypt(message, format);
                Equal(message, engine.ProcessBlock(ciphertext, 0, ciphertext.Length), "our ciphertext");
            }
        }

        private static void Gcm(byte[] key, byte[] nonce, byte[] associated, byte[] message)
        {
            using var gcm = new Sm4Gcm(key);
            byte[] ciphertext = new byte[message.Length], tag = new byte[16], opened = new byte[message.Length];
            gcm.Encrypt(nonce, message, ciphertext, tag, associated);
            Equal(Sealed(key, nonce, associated, message), ciphertext.Concat(tag).ToArray(), "GCM");
            gcm.Decrypt(nonce, ciphertext, tag, opened, associated);
            Equal(message, opened, "GCM, opened");
        }

        private static void Cbc(byte[] key, byte[] iv, byte[] message)
        {
            using var sm4 = new Sm4 { Key = key, IV = iv };
            var cipher = new PaddedBufferedBlockCipher(new CbcBlockCipher(new SM4Engine()), new Pkcs7Padding());
            cipher.Init(true, new ParametersWithIV(new KeyParameter(key), iv));
            var theirs = cipher.DoFinal(message);
            Equal(theirs, sm4.CreateEncryptor().TransformFinalBlock(message, 0, message.Length), "CBC");
            Equal(message, sm4.CreateDecryptor().TransformFinalBlock(theirs, 0, theirs.Length), "CBC, opened");
        }

        private static byte[] Sealed(byte[] key, byte[] nonce, byte[] associated, byte[] message)
        {
            var cipher = new GcmBlockCipher(new SM4Engine());
            cipher.Init(true, new AeadParameters(new KeyParameter(key), 128, nonce, associated));
            var output = new byte[cipher.GetOutputSize(message.Length)];
            var done = cipher.ProcessBytes(message, 0, message.Length, output, 0);
            cipher.DoFinal(output, done);
            return output;
        }

        private static byte[] Digest(byte[] message)
        {
            var hash = new SM3Digest();
            hash.BlockUpdate(message, 0, message.Length);
            var digest = new byte[32];
            hash.DoFinal(digest, 0);
            return digest;
        }

        private static byte[] Hmac(byte[] key, byte[] message)
        {
            var hmac = new HMac(new SM3Digest());
            hmac.Init(new KeyParameter(key));
            hmac.BlockUpdate(message, 0, message.Length);
            var mac = new byte[32];
            hmac.DoFinal(mac, 0);
            return mac;
        }

        private static void Times()
        {
            using var ours = Sm2.Create();
            ours.Prepare();
            var (secret, point) = Theirs(ours);
            byte[] message = new byte[64], kibibyte = new byte[1024], key = new byte[16], nonce = new byte[12], output = new byte[1024], tag = new byte[16];
            var signature = ours.SignData(message);
            SM2Signer signer = new SM2Signer(), verifier = new SM2Signer();
            signer.Init(true, secret);
            verifier.Init(false, point);
            using var gcm = new Sm4Gcm(key);
            Time("sign", () => ours.SignData(message), () =>
            {
                signer.BlockUpdate(message, 0, 64);
                signer.GenerateSignature();
            });
            Time("verify", () => ours.VerifyData(message, signature), () =>
            {
                verifier.BlockUpdate(message, 0, 64);
                verifier.VerifySignature(signature);
            });
            Time("sm3-64", () => Sm3.HashData(message), () => Digest(message));
            Time("gcm-seal-1024", () => gcm.Encrypt(nonce, kibibyte, output, tag), () => Sealed(key, nonce, Array.Empty<byte>(), kibibyte));
        }

        private static void Time(string name, Action ours, Action theirs)
        {
            double Once(Action act)
            {
                var clock = Stopwatch.StartNew();
                var count = 0;
                for (; clock.ElapsedMilliseconds < 200; count++)
                {
                    act();
                }
                return clock.Elapsed.TotalMilliseconds * 1e6 / count;
            }
            var rounds = Enumerable.Range(0, 6).Select(_ => (Ours: Once(ours), Theirs: Once(theirs))).Skip(1).ToList();
            double a = rounds.Min(one => one.Ours), b = rounds.Min(one => one.Theirs);
            Console.WriteLine($"{name,-16}{a,12:F0} ns{b,12:F0} ns of Bouncy Castle: {b / a:F1} times");
        }

        private static (ECPrivateKeyParameters Secret, ECPublicKeyParameters Point) Theirs(Sm2 key) => (
            new ECPrivateKeyParameters(new BigInteger(1, key.ExportRawPrivateKey()), Curve), new ECPublicKeyParameters(Curve.Curve.DecodePoint(key.ExportRawPublicKey()), Curve));

        private static ECDomainParameters Domain()
        {
            var curve = GMNamedCurves.GetByName("sm2p256v1");
            return new ECDomainParameters(curve.Curve, curve.G, curve.N, curve.H);
        }

        private static byte[] Bytes(int length)
        {
            var bytes = new byte[length];
            Random.NextBytes(bytes);
            return bytes;
        }

        private static void Equal(byte[] expected, byte[] found, string what) => True(expected.SequenceEqual(found), what);

        private static void True(bool condition, string what)
        {
            if (!condition)
            {
                throw new CryptographicException(what + " is not accepted");
            }
        }
    }
}
