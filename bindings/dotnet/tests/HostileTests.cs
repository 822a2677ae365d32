// What programs do wrong, and threads.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Threading;

namespace Kuaimi.Tests
{
    internal static class HostileTests
    {
        private static readonly byte[] Message = Repository.Utf8("a message");

        /// Others use a key until it is disposed of under their hands: each call gives its result, or says that the key is gone.
        [Test]
        internal static void DisposedByAnotherThread()
        {
            for (var round = 0; round < 200; round++)
            {
                var sm2 = Sm2.Create();
                var gcm = new Sm4Gcm(new byte[16]);
                var signature = sm2.SignData(Message);
                byte[] nonce = new byte[12], ciphertext = new byte[100], tag = new byte[16];
                gcm.Encrypt(nonce, new byte[100], ciphertext, tag);
                var item = new Sm2VerifyItem(sm2, Message, signature);
                using var start = new Barrier(4);
                Together(
                    () =>
                    {
                        start.SignalAndWait();
                        Until(() => Check.True(sm2.VerifyData(Message, sm2.SignData(Message, "alice"), "alice")));
                    },
                    () =>
                    {
                        start.SignalAndWait();
                        Until(() => Check.True(Sm2.VerifyBatch(new[] { item, item })[1]));
                    },
                    () =>
                    {
                        start.SignalAndWait();
                        Until(() => gcm.Decrypt(nonce, ciphertext, tag, new byte[100]));
                    },
                    () =>
                    {
                        start.SignalAndWait();
                        Thread.SpinWait(round * 50);
                        sm2.Dispose();
                        gcm.Dispose();
                    });
            }
        }

        /// Objects that nobody disposes of are freed by the collector, and those in use are not.
        [Test]
        internal static void Undisposed()
        {
            using var key = Sm2.Create();
            var signature = key.SignData(Message);
            var before = 0L;
            for (var round = 0; round < 40; round++)
            {
                Forget(key);
                GC.Collect();
                GC.WaitForPendingFinalizers();
                Check.True(key.VerifyData(Message, signature));
                if (round == 5)
                {
                    before = Resident();
                }
            }
            // 34 rounds would leave some 60 MB of tables and keys.
            var grown = Resident() - before;
            Check.True(grown < 20 << 20, $"memory stays: it grew by {grown} bytes");
        }

        /// One key in many threads, also at its first use, when it is made.
        [Test]
        internal static void Threads()
        {
            for (var round = 0; round < 50; round++)
            {
                using var key = Sm2.Create();
                var points = new List<string>();
                Together(Enumerable.Range(0, 6).Select(number => (Action)(() =>
                {
                    var name = "user" + number;
                    var signature = key.SignData(Message, name);
                    Check.True(key.VerifyData(Message, signature, name));
                    Check.False(key.VerifyData(Message, signature));
                    Check.Bytes(Message, key.Decrypt(key.Encrypt(Message)));
                    lock (points)
                    {
                        points.Add(Hex.Of(key.ExportRawPublicKey()));
                    }
                })).ToArray());
                Check.Equal(1, points.Distinct().Count(), "one key");
                Check.Equal(6, points.Count);
            }
        }

        /// The ciphertext changes meanwhile: what comes out was once encrypted, or nothing does.
        [Test]
        internal static void ChangedMeanwhile()
        {
            using var gcm = new Sm4Gcm(new byte[16]);
            byte[] nonce = new byte[12], message = Enumerable.Repeat((byte)0x11, 5000).ToArray(), ciphertext = new byte[5000], tag = new byte[16];
            gcm.Encrypt(nonce, message, ciphertext, tag);
            using var ccm = new Sm4Ccm(new byte[16]);
            byte[] ccmCiphertext = new byte[5000], ccmTag = new byte[16];
            ccm.Encrypt(nonce, message, ccmCiphertext, ccmTag);
            using var key = Sm2.Create();
            var signature = key.SignData(Message);
            var envelope = key.Encrypt(message);
            var stop = false;
            var changed = 0;
            // In the background: the program ends also where the test fails.
            var flipper = new Thread(() =>
            {
                while (!Volatile.Read(ref stop))
                {
                    ciphertext[2500] ^= 1;
                    ccmCiphertext[2500] ^= 1;
                    signature[40] ^= 1;
                    envelope[4000] ^= 1;
                    changed++;
                }
            });
            flipper.IsBackground = true;
            flipper.Start();
            int opened = 0, refused = 0;
            for (var i = 0; i < 3000; i++)
            {
                var place = new byte[5000];
                try
                {
                    gcm.Decrypt(nonce, ciphertext, tag, place);
                    Check.Bytes(message, place);
                    opened++;
                }
                catch (CryptographicException)
                {
                    Check.Zeros(place);
                    refused++;
                }
                key.VerifyData(Message, signature);
                try
                {
                    ccm.Decrypt(nonce, ccmCiphertext, ccmTag, place);
                    Check.Bytes(message, place);
                }
                catch (CryptographicException)
                {
                    Check.Zeros(place);
                }
                try
                {
                    Check.Bytes(message, key.Decrypt(envelope));
                }
                catch (CryptographicException)
                {
                }
            }
            Volatile.Write(ref stop, true);
            flipper.Join();
            Check.True(changed > 1000 && refused > 0 && opened + refused == 3000, "the ciphertext changed");
        }

        /// Signing twice never uses a nonce twice.
        [Test]
        internal static void Nonces()
        {
            using var key = Sm2.Create();
            var starts = Enumerable.Range(0, 500).Select(_ => Hex.Of(key.SignData(Message, Sm2SignatureFormat.IeeeP1363FixedFieldConcatenation).AsSpan(0, 32))).ToList();
            Check.Equal(500, starts.Distinct().Count(), "values of r");
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static void Forget(Sm2 shared)
        {
            for (var i = 0; i < 30; i++)
            {
                var sm2 = Sm2.Create();
                sm2.Prepare();
                Check.True(sm2.VerifyData(Message, sm2.SignData(Message)));
                sm2.StartKeyExchange(shared);
                new Sm3().ComputeHash(Message);
                new HmacSm3(Message).ComputeHash(Message);
                new Sm4Gcm(new byte[16]).Encrypt(new byte[12], Message, new byte[Message.Length], new byte[16]);
                new Sm4 { Mode = CipherMode.ECB }.CreateEncryptor().TransformFinalBlock(Message, 0, 3);
                Sm9MasterSigningKey.ImportRaw(Enumerable.Repeat((byte)1, 32).ToArray());
                try
                {
                    sm2.ImportRawPrivateKey(new byte[32]);
                }
                catch (CryptographicException)
                {
                }
            }
        }

        private static long Resident()
        {
            using var process = System.Diagnostics.Process.GetCurrentProcess();
            return process.WorkingSet64;
        }

        private static void Until(Action act)
        {
            for (var i = 0; i < 10_000; i++)
            {
                try
                {
                    act();
                }
                catch (ObjectDisposedException)
                {
                    return;
                }
            }
        }

        /// Runs all at once; the first failure of any fails.
        private static void Together(params Action[] acts)
        {
            Exception? failure = null;
            var threads = acts.Select(act => new Thread(() =>
            {
                try
                {
                    act();
                }
                catch (Exception one)
                {
                    failure = one;
                }
            })).ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            if (failure != null)
            {
                throw new Exception("a thread fails", failure);
            }
        }
    }
}
