// The handles behind an Sm2: one key, and what signing and verifying share under an identity.

using System;
using System.Threading;
using Kuaimi.Native;

namespace Kuaimi
{
    internal sealed unsafe class Sm2Keys : IDisposable
    {
        private readonly Sm2PrivateKeyHandle? _private;
        private readonly ForIdentities<Sm2SigningKeyHandle> _signing;
        private readonly ForIdentities<Sm2VerifyingKeyHandle> _verifying;

        internal Sm2Keys(Sm2PrivateKeyHandle key)
            : this(PublicOf(key))
        {
            _private = key;
        }

        internal Sm2Keys(Sm2PublicKeyHandle key)
        {
            Public = key;
            _signing = new ForIdentities<Sm2SigningKeyHandle>(NewSigning);
            _verifying = new ForIdentities<Sm2VerifyingKeyHandle>(NewVerifying);
        }

        internal Sm2PublicKeyHandle Public { get; }

        internal bool HasPrivate => _private != null;

        internal Sm2PrivateKeyHandle Private =>
            _private ?? throw new KuaimiException(KuaimiErrorKind.OtherKey, "the private key is needed: here is the public key alone");

        internal ForIdentities<Sm2SigningKeyHandle> Signing => _signing;

        internal ForIdentities<Sm2VerifyingKeyHandle> Verifying => _verifying;

        internal static Sm2Keys Generate()
        {
            Failure.Check(Sm2Native.kuaimi_sm2_private_key_generate(out var key));
            return new Sm2Keys(key);
        }

        public void Dispose()
        {
            _private?.Dispose();
            Public.Dispose();
            _signing.Dispose();
            _verifying.Dispose();
        }

        private static Sm2PublicKeyHandle PublicOf(Sm2PrivateKeyHandle key)
        {
            Failure.Check(Sm2Native.kuaimi_sm2_private_key_public_key(key, out var result));
            return result;
        }

        private Sm2SigningKeyHandle NewSigning(byte* identity, int length)
        {
            Failure.Check(Sm2Native.kuaimi_sm2_signing_key_new(Private, identity, (UIntPtr)(uint)length, out var key));
            return key;
        }

        private Sm2VerifyingKeyHandle NewVerifying(byte* identity, int length)
        {
            Failure.Check(Sm2Native.kuaimi_sm2_verifying_key_new(Public, identity, (UIntPtr)(uint)length, out var key));
            return key;
        }
    }

    /// Keys for one identity each: the one for the default identity is kept, and the last one for another.
    internal sealed unsafe class ForIdentities<THandle> : IDisposable
        where THandle : NativeHandle
    {
        private readonly Maker _make;
        private THandle? _default;
        private Kept? _kept;
        private volatile bool _isDisposed;

        internal ForIdentities(Maker make)
        {
            _make = make;
        }

        /// A null pointer means the default identity.
        internal delegate THandle Maker(byte* identity, int length);

        internal THandle Default => Volatile.Read(ref _default) ?? MakeDefault();

        /// The key for an identity, which nobody else has until it is given back.
        internal Kept Take(ReadOnlySpan<byte> identity)
        {
            var kept = Interlocked.Exchange(ref _kept, null);
            if (kept != null)
            {
                if (identity.SequenceEqual(kept.Identity))
                {
                    return kept;
                }
                kept.Handle.Dispose();
            }
            byte empty;
            fixed (byte* bytes = identity)
            {
                return new Kept(identity.ToArray(), _make(bytes == null ? &empty : bytes, identity.Length));
            }
        }

        internal void Give(Kept kept)
        {
            Interlocked.Exchange(ref _kept, kept)?.Handle.Dispose();
            if (_isDisposed)
            {
                Interlocked.Exchange(ref _kept, null)?.Handle.Dispose();
            }
        }

        public void Dispose()
        {
            _isDisposed = true;
            Volatile.Read(ref _default)?.Dispose();
            Interlocked.Exchange(ref _kept, null)?.Handle.Dispose();
        }

        private THandle MakeDefault()
        {
            var made = _make(null, 0);
            var earlier = Interlocked.CompareExchange(ref _default, made, null);
            if (earlier != null)
            {
                made.Dispose();
                return earlier;
            }
            if (_isDisposed)
            {
                made.Dispose();
            }
            return made;
        }

        internal sealed class Kept
        {
            internal Kept(byte[] identity, THandle handle)
            {
                Identity = identity;
                Handle = handle;
            }

            internal byte[] Identity { get; }

            internal THandle Handle { get; }
        }
    }
}
