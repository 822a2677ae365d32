using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A user's public key for SM9 signatures: an identity under a master public key. Threads may share it.</summary>
    public sealed unsafe class Sm9VerifyingKey : IDisposable
    {
        internal Sm9VerifyingKey(Sm9VerifyingKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9VerifyingKeyHandle Handle { get; }

        /// <summary>Makes the table of the key now, 10 KiB, and of its master public key what is needed with it, 66 KiB: verification is faster with both.</summary>
        public void Prepare() => Failure.Check(Sm9Native.kuaimi_sm9_verifying_key_prepare(Handle));

        /// <summary>Verifies a signature.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="signature">The signature; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(byte[] data, byte[] signature, Sm9SignatureFormat format = Sm9SignatureFormat.Der) =>
            VerifyData(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), new ReadOnlySpan<byte>(Arguments.NotNull(signature, nameof(signature))), format);

        /// <summary>Verifies a signature.</summary>
        /// <param name="data">The message.</param>
        /// <param name="signature">The signature.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature, Sm9SignatureFormat format = Sm9SignatureFormat.Der)
        {
            fixed (byte* message = data)
            fixed (byte* bytes = signature)
            {
                return Failure.Verdict(Sm9Native.kuaimi_sm9_verify(
                    Handle, message, (UIntPtr)(uint)data.Length, bytes, (UIntPtr)(uint)signature.Length, (SignatureForm)format));
            }
        }

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
