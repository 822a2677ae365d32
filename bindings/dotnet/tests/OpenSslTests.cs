// Both ways with the program `openssl` 3, and with the program `kuaimi` where it was built or KUAIMI names it.

using System;
using System.Linq;
using System.Security.Cryptography;

namespace Kuaimi.Tests
{
    internal static class OpenSslTests
    {
        private static readonly byte[] Message = Enumerable.Range(0, 1000).Select(i => (byte)(i * 3)).ToArray();

        [Test]
        internal static void Digests()
        {
            using var folder = new Scratch();
            folder.Write("message", Message);
            Check.Bytes(Sm3.HashData(Message), folder.Run("openssl", "dgst", "-sm3", "-binary", "message"));
            Check.Bytes(HmacSm3.HashData(new byte[] { 1, 2, 255 }, Message), folder.Run("openssl", "dgst", "-sm3", "-mac", "hmac", "-macopt", "hexkey:0102ff", "-binary", "message"));
        }

        [Test]
        internal static void Ciphers()
        {
            using var folder = new Scratch();
            using var sm4 = Sm4.Create();
            folder.Write("message", Message);
            string key = Hex.Of(sm4.Key), iv = Hex.Of(sm4.IV);
            foreach (var mode in new[] { CipherMode.CBC, CipherMode.ECB })
            {
                sm4.Mode = mode;
                var name = "-sm4-" + mode.ToString().ToLowerInvariant();
                var vector = mode == CipherMode.ECB ? Array.Empty<string>() : new[] { "-iv", iv };
                var theirs = folder.Run("openssl", new[] { "enc", name, "-K", key, "-in", "message" }.Concat(vector).ToArray());
                Check.Bytes(theirs, sm4.CreateEncryptor().TransformFinalBlock(Message, 0, Message.Length));
                Check.Bytes(Message, sm4.CreateDecryptor().TransformFinalBlock(theirs, 0, theirs.Length));
            }
            using var counter = new Sm4Ctr(sm4.Key, sm4.IV);
            Check.Bytes(folder.Run("openssl", "enc", "-sm4-ctr", "-K", key, "-iv", iv, "-in", "message"), counter.TransformFinalBlock(Message, 0, Message.Length));
        }

        [Test]
        internal static void Signatures()
        {
            using var folder = new Scratch();
            folder.Write("message", Message);
            using var ours = Sm2.Create();
            folder.Write("ours.pem", ours.ExportPkcs8PrivateKeyPem());
            folder.Write("ours-public.pem", ours.ExportSubjectPublicKeyInfoPem());
            folder.Run("openssl", "genpkey", "-algorithm", "SM2", "-out", "theirs.pem");
            folder.Run("openssl", "pkey", "-in", "theirs.pem", "-pubout", "-out", "theirs-public.pem");
            using var theirs = Sm2.Create();
            theirs.ImportFromPem(System.Text.Encoding.ASCII.GetString(folder.Read("theirs-public.pem")).AsSpan());
            Check.False(theirs.HasPrivateKey);
            foreach (var name in new[] { "1234567812345678", "alice@example.com" })
            {
                folder.Write("ours.sig", ours.SignData(Message, name));
                folder.Run("openssl", "dgst", "-sm3", "-verify", "ours-public.pem", "-sigopt", "distid:" + name, "-signature", "ours.sig", "message");
                Check.True(folder.Try("openssl", "dgst", "-sm3", "-verify", "ours-public.pem", "-sigopt", "distid:other", "-signature", "ours.sig", "message") is null, "another identity");
                folder.Run("openssl", "dgst", "-sm3", "-sign", "theirs.pem", "-sigopt", "distid:" + name, "-out", "theirs.sig", "message");
                var signature = folder.Read("theirs.sig");
                Check.True(theirs.VerifyData(Message, signature, name));
                Check.False(theirs.VerifyData(Message, signature, "other"));
            }
            // With each other's private keys.
            using var read = Sm2.Create();
            read.ImportFromPem(System.Text.Encoding.ASCII.GetString(folder.Read("theirs.pem")).AsSpan());
            Check.True(theirs.VerifyData(Message, read.SignData(Message)));
            folder.Run("openssl", "dgst", "-sm3", "-sign", "ours.pem", "-sigopt", "distid:1234567812345678", "-out", "again.sig", "message");
            Check.True(ours.VerifyData(Message, folder.Read("again.sig")));
        }

        [Test]
        internal static void Encryption()
        {
            using var folder = new Scratch();
            using var ours = Sm2.Create();
            folder.Write("ours.pem", ours.ExportPkcs8PrivateKeyPem());
            folder.Write("message", "a secret");
            folder.Write("ciphertext", ours.Encrypt(Repository.Utf8("a secret")));
            Check.Bytes(Repository.Utf8("a secret"), folder.Run("openssl", "pkeyutl", "-decrypt", "-inkey", "ours.pem", "-in", "ciphertext"));
            Check.Bytes(Repository.Utf8("a secret"), ours.Decrypt(folder.Run("openssl", "pkeyutl", "-encrypt", "-inkey", "ours.pem", "-in", "message")));
        }

        [Test]
        internal static void EncryptedKeys()
        {
            using var folder = new Scratch();
            using var ours = Sm2.Create();
            folder.Run("openssl", "genpkey", "-algorithm", "SM2", "-out", "theirs.pem");
            var theirs = folder.Run("openssl", "pkcs8", "-topk8", "-in", "theirs.pem", "-outform", "DER", "-v2", "aes-256-cbc", "-passout", "pass:p");
            using var read = Sm2.Create();
            read.ImportEncryptedPkcs8PrivateKey("p".AsSpan(), theirs, out var length);
            Check.Equal(theirs.Length, length);
            read.ImportFromEncryptedPem(
                System.Text.Encoding.ASCII.GetString(folder.Run("openssl", "pkcs8", "-topk8", "-in", "theirs.pem", "-passout", "pass:p")).AsSpan(), "p".AsSpan());
            folder.Write("ours.der", ours.ExportEncryptedPkcs8PrivateKey("p".AsSpan(), new PbeParameters(PbeEncryptionAlgorithm.Aes128Cbc, HashAlgorithmName.SHA512, 5000)));
            Check.Bytes(ours.ExportSubjectPublicKeyInfo(), folder.Run("openssl", "pkey", "-inform", "DER", "-in", "ours.der", "-passin", "pass:p", "-pubout", "-outform", "DER"));
        }

        [Test]
        internal static void KuaimiProgram()
        {
            var program = Environment.GetEnvironmentVariable("KUAIMI") ?? System.IO.Path.Combine(Repository.Root, "target/release/kuaimi");
            if (!System.IO.File.Exists(program))
            {
                throw new SkippedException("the program kuaimi is not built, and KUAIMI names no other one");
            }
            using var folder = new Scratch();
            using var ours = Sm2.Create();
            folder.Write("message", Message);
            folder.Write("ours.pem", ours.ExportPkcs8PrivateKeyPem());
            folder.Write("ours-public.pem", ours.ExportSubjectPublicKeyInfoPem());
            folder.Run(program, "sm2", "sign", "--key", "ours.pem", "--id", "alice", "--out", "program.sig", "message");
            Check.True(ours.VerifyData(Message, folder.Read("program.sig"), "alice"));
            folder.Write("ours.sig", ours.SignData(Message, "alice"));
            folder.Run(program, "sm2", "verify", "--key", "ours-public.pem", "--id", "alice", "--signature", "ours.sig", "message");
        }
    }
}
