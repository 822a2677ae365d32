using System;
using System.Security.Cryptography;
using System.Threading;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>
    /// SM2 (GB/T 32918-2016), with the shape of <see cref="ECDsa"/>: signatures, encryption and key exchange with one key. A new instance has a new key pair,
    /// unless a key is imported first. Threads may share an instance, also one that another thread disposes of: calls then end with
    /// <see cref="ObjectDisposedException"/> or with their result. Importing while others use the instance is for one thread.
    /// </summary>
    public sealed unsafe partial class Sm2 : AsymmetricAlgorithm
    {
        private Sm2Keys? _keys;
        private volatile bool _isDisposed;

        /// <summary>A new key pair, which is made at its first use, unless a key is imported before.</summary>
        public Sm2()
        {
            KeySizeValue = 256;
            LegalKeySizesValue = new[] { new KeySizes(256, 256, 0) };
        }

        /// <summary>The signature algorithm: <c>SM2</c>.</summary>
        public override string SignatureAlgorithm => "SM2";

        /// <summary>The algorithm that transports keys: <c>SM2</c>.</summary>
        public override string KeyExchangeAlgorithm => "SM2";

        /// <summary>Whether there is a private key. A new instance has one; one with an imported public key has not.</summary>
        public bool HasPrivateKey => Keys.HasPrivate;

        private Sm2Keys Keys => Volatile.Read(ref _keys) ?? Generated();

        /// <summary>A new key pair, which is made at its first use, unless a key is imported before.</summary>
        /// <returns>The new instance.</returns>
        public static new Sm2 Create() => new Sm2();

        /// <summary>
        /// Makes the table of the public key now, 52 KiB: verification takes about a third of the time with it, and encryption of short messages about half.
        /// Without this call, the table is made at the second use.
        /// </summary>
        public void Prepare() => Failure.Check(Sm2Native.kuaimi_sm2_public_key_prepare(Keys.Public));

        /// <inheritdoc/>
        protected override void Dispose(bool disposing)
        {
            _isDisposed = true;
            if (disposing)
            {
                Volatile.Read(ref _keys)?.Dispose();
            }
            base.Dispose(disposing);
        }

        private Sm2Keys Generated()
        {
            Use(Sm2Keys.Generate(), onlyFirst: true);
            return Volatile.Read(ref _keys)!;
        }

        /// Takes these keys in place of those that were there.
        private void Use(Sm2Keys keys, bool onlyFirst = false)
        {
            if (onlyFirst)
            {
                if (Interlocked.CompareExchange(ref _keys, keys, null) != null)
                {
                    keys.Dispose();
                }
            }
            else
            {
                Interlocked.Exchange(ref _keys, keys)?.Dispose();
            }
            if (_isDisposed)
            {
                keys.Dispose();
                throw new ObjectDisposedException(nameof(Sm2));
            }
        }

        private static SignatureForm Form(Sm2SignatureFormat format)
        {
            switch (format)
            {
                case Sm2SignatureFormat.Rfc3279DerSequence:
                    return SignatureForm.Der;
                case Sm2SignatureFormat.IeeeP1363FixedFieldConcatenation:
                    return SignatureForm.Raw;
                default:
                    throw new ArgumentOutOfRangeException(nameof(format), format, "no format of signatures");
            }
        }
    }
}
