using System;
using System.IO;
using System.Runtime.CompilerServices;
using Kuaimi.Native;

namespace Kuaimi
{
    public sealed unsafe partial class Sm2
    {
        private const int DigestLength = 32;
        private const int MaxSignatureLength = 72;

        /// <summary>Signs a message under the default identity, <c>1234567812345678</c>.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        /// <exception cref="System.Security.Cryptography.CryptographicException">There is no private key.</exception>
        public byte[] SignData(byte[] data, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            SignData(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), format);

        /// <summary>Signs a message under an identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="identity">The signer's identity, at most 8191 bytes; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignData(byte[] data, byte[] identity, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            SignData(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), new ReadOnlySpan<byte>(Arguments.NotNull(identity, nameof(identity))), format);

        /// <summary>Signs a message under an identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="identity">The signer's identity, whose UTF-8 is taken; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignData(byte[] data, string identity, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            SignData(data, Utf8.Identity(identity, nameof(identity)), format);

        /// <summary>Signs a message under the default identity.</summary>
        /// <param name="data">The message.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignData(ReadOnlySpan<byte> data, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Span<byte> signature = stackalloc byte[MaxSignatureLength];
            TrySignData(data, signature, out var length, format);
            return signature.Slice(0, length).ToArray();
        }

        /// <summary>Signs a message under an identity.</summary>
        /// <param name="data">The message.</param>
        /// <param name="identity">The signer's identity, at most 8191 bytes. Empty is the empty identity, not the default one.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignData(ReadOnlySpan<byte> data, ReadOnlySpan<byte> identity, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Span<byte> signature = stackalloc byte[MaxSignatureLength];
            TrySignData(data, identity, signature, out var length, format);
            return signature.Slice(0, length).ToArray();
        }

        /// <summary>Signs a stream, from where it stands to its end, under the default identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignData(Stream data, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Failure.Check(Sm2Native.kuaimi_sm2_signing_key_hash(Keys.Signing.Default, out var hash));
            return SignHash(Digest(hash, data), format);
        }

        /// <summary>Signs a message under the default identity, into the caller's memory.</summary>
        /// <param name="data">The message.</param>
        /// <param name="destination">72 bytes are enough for both formats.</param>
        /// <param name="bytesWritten">The length of the signature; 0 if the destination is too small.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False if the destination is too small: in DER, smaller than 72 bytes.</returns>
        public bool TrySignData(ReadOnlySpan<byte> data, Span<byte> destination, out int bytesWritten, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            Sign(Keys.Signing.Default, data, destination, out bytesWritten, format);

        /// <summary>Signs a message under an identity, into the caller's memory.</summary>
        /// <param name="data">The message.</param>
        /// <param name="identity">The signer's identity, at most 8191 bytes.</param>
        /// <param name="destination">72 bytes are enough for both formats.</param>
        /// <param name="bytesWritten">The length of the signature; 0 if the destination is too small.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False if the destination is too small: in DER, smaller than 72 bytes.</returns>
        public bool TrySignData(ReadOnlySpan<byte> data, ReadOnlySpan<byte> identity, Span<byte> destination, out int bytesWritten, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            var keys = Keys.Signing;
            var key = keys.Take(identity);
            var isSigned = Sign(key.Handle, data, destination, out bytesWritten, format);
            keys.Give(key);
            return isSigned;
        }

        /// <summary>Signs a digest <c>e = SM3(Z ‖ message)</c>, which <see cref="HashData(ReadOnlySpan{byte})"/> computes.</summary>
        /// <param name="hash">The digest, 32 bytes; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        public byte[] SignHash(byte[] hash, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            SignHash(new ReadOnlySpan<byte>(Arguments.NotNull(hash, nameof(hash))), format);

        /// <summary>Signs a digest <c>e = SM3(Z ‖ message)</c>, which <see cref="HashData(ReadOnlySpan{byte})"/> computes.</summary>
        /// <param name="hash">The digest, 32 bytes.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>The signature.</returns>
        /// <exception cref="ArgumentException">The digest has another length.</exception>
        public byte[] SignHash(ReadOnlySpan<byte> hash, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Arguments.Length(hash.Length, DigestLength, nameof(hash));
            Span<byte> signature = stackalloc byte[MaxSignatureLength];
            var length = (UIntPtr)MaxSignatureLength;
            fixed (byte* digest = hash)
            fixed (byte* output = signature)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_sign_digest(Keys.Signing.Default, digest, Form(format), output, &length));
            }
            return signature.Slice(0, (int)length).ToArray();
        }

        /// <summary>Verifies a signature under the default identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="signature">The signature; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(byte[] data, byte[] signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            VerifyData(new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))), new ReadOnlySpan<byte>(Arguments.NotNull(signature, nameof(signature))), format);

        /// <summary>Verifies a signature under an identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="signature">The signature; not null.</param>
        /// <param name="identity">The signer's identity, at most 8191 bytes; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(byte[] data, byte[] signature, byte[] identity, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            VerifyData(
                new ReadOnlySpan<byte>(Arguments.NotNull(data, nameof(data))),
                new ReadOnlySpan<byte>(Arguments.NotNull(signature, nameof(signature))),
                new ReadOnlySpan<byte>(Arguments.NotNull(identity, nameof(identity))),
                format);

        /// <summary>Verifies a signature under an identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="signature">The signature; not null.</param>
        /// <param name="identity">The signer's identity, whose UTF-8 is taken; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(byte[] data, byte[] signature, string identity, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            VerifyData(data, signature, Utf8.Identity(identity, nameof(identity)), format);

        /// <summary>Verifies a signature under the default identity.</summary>
        /// <param name="data">The message.</param>
        /// <param name="signature">The signature.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            Verify(Keys.Verifying.Default, data, signature, format);

        /// <summary>Verifies a signature under an identity.</summary>
        /// <param name="data">The message.</param>
        /// <param name="signature">The signature.</param>
        /// <param name="identity">The signer's identity, at most 8191 bytes. Empty is the empty identity, not the default one.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature, ReadOnlySpan<byte> identity, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            var keys = Keys.Verifying;
            var key = keys.Take(identity);
            var isRight = Verify(key.Handle, data, signature, format);
            keys.Give(key);
            return isRight;
        }

        /// <summary>Verifies the signature of a stream, from where it stands to its end, under the default identity.</summary>
        /// <param name="data">The message; not null.</param>
        /// <param name="signature">The signature; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyData(Stream data, byte[] signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Arguments.NotNull(signature, nameof(signature));
            Failure.Check(Sm2Native.kuaimi_sm2_verifying_key_hash(Keys.Verifying.Default, out var hash));
            return VerifyHash(Digest(hash, data), signature, format);
        }

        /// <summary>Verifies the signature of a digest <c>e = SM3(Z ‖ message)</c>.</summary>
        /// <param name="hash">The digest, 32 bytes; not null.</param>
        /// <param name="signature">The signature; not null.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        public bool VerifyHash(byte[] hash, byte[] signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence) =>
            VerifyHash(new ReadOnlySpan<byte>(Arguments.NotNull(hash, nameof(hash))), new ReadOnlySpan<byte>(Arguments.NotNull(signature, nameof(signature))), format);

        /// <summary>Verifies the signature of a digest <c>e = SM3(Z ‖ message)</c>.</summary>
        /// <param name="hash">The digest, 32 bytes.</param>
        /// <param name="signature">The signature.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>False for a wrong signature, and for what is no signature.</returns>
        /// <exception cref="ArgumentException">The digest has another length.</exception>
        public bool VerifyHash(ReadOnlySpan<byte> hash, ReadOnlySpan<byte> signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Arguments.Length(hash.Length, DigestLength, nameof(hash));
            fixed (byte* digest = hash)
            fixed (byte* bytes = signature)
            {
                return Failure.Verdict(Sm2Native.kuaimi_sm2_verify_digest(Keys.Verifying.Default, digest, bytes, (UIntPtr)(uint)signature.Length, Form(format)));
            }
        }

        /// <summary>The digest <c>e = SM3(Z ‖ message)</c> that is signed, under the default identity.</summary>
        /// <param name="data">The message.</param>
        /// <returns>32 bytes.</returns>
        public byte[] HashData(ReadOnlySpan<byte> data) => Digest(Keys.Verifying.Default, data);

        /// <summary>The digest <c>e = SM3(Z ‖ message)</c> that is signed, under an identity.</summary>
        /// <param name="data">The message.</param>
        /// <param name="identity">The signer's identity, at most 8191 bytes.</param>
        /// <returns>32 bytes.</returns>
        public byte[] HashData(ReadOnlySpan<byte> data, ReadOnlySpan<byte> identity)
        {
            var keys = Keys.Verifying;
            var key = keys.Take(identity);
            var digest = Digest(key.Handle, data);
            keys.Give(key);
            return digest;
        }

        /// <summary>
        /// Why a signature may not fit, in English, such as "it fits under the empty identity": what people often get wrong is tried. <b>A hint for people: it
        /// makes no signature valid.</b> Takes up to about a second.
        /// </summary>
        /// <param name="data">The message.</param>
        /// <param name="signature">The signature.</param>
        /// <param name="format">How the signature is written.</param>
        /// <returns>A sentence, always.</returns>
        public string ExplainSignature(byte[] data, byte[] signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Arguments.NotNull(data, nameof(data));
            Arguments.NotNull(signature, nameof(signature));
            var key = Keys.Public;
            var form = Form(format);
            return System.Text.Encoding.UTF8.GetString(Output.Array((output, length) =>
            {
                fixed (byte* message = data)
                fixed (byte* bytes = signature)
                {
                    return Sm2Native.kuaimi_sm2_explain_signature(
                        key, null, UIntPtr.Zero, message, (UIntPtr)(uint)data.Length, bytes, (UIntPtr)(uint)signature.Length, form, output, length);
                }
            }));
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private static bool Sign(Sm2SigningKeyHandle key, ReadOnlySpan<byte> data, Span<byte> destination, out int bytesWritten, Sm2SignatureFormat format)
        {
            var length = (UIntPtr)(uint)destination.Length;
            int error;
            byte none;
            fixed (byte* message = data)
            fixed (byte* output = destination)
            {
                error = Sm2Native.kuaimi_sm2_sign(key, message, (UIntPtr)(uint)data.Length, Form(format), output == null ? &none : output, &length);
            }
            if (error == Failure.BufferTooSmall)
            {
                bytesWritten = 0;
                return false;
            }
            Failure.Check(error);
            bytesWritten = (int)length;
            return true;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private static bool Verify(Sm2VerifyingKeyHandle key, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature, Sm2SignatureFormat format)
        {
            fixed (byte* message = data)
            fixed (byte* bytes = signature)
            {
                return Failure.Verdict(Sm2Native.kuaimi_sm2_verify(
                    key, message, (UIntPtr)(uint)data.Length, bytes, (UIntPtr)(uint)signature.Length, Form(format)));
            }
        }

        private static byte[] Digest(Sm2VerifyingKeyHandle key, ReadOnlySpan<byte> data)
        {
            Failure.Check(Sm2Native.kuaimi_sm2_verifying_key_hash(key, out var hash));
            using (hash)
            {
                Absorb(hash, data);
                return Finish(hash);
            }
        }

        /// Reads a stream into a hash that has absorbed Z, and frees that.
        private static byte[] Digest(Sm3Handle hash, Stream data)
        {
            using (hash)
            {
                Arguments.NotNull(data, nameof(data));
                var buffer = new byte[1 << 16];
                int count;
                while ((count = data.Read(buffer, 0, buffer.Length)) > 0)
                {
                    Absorb(hash, buffer.AsSpan(0, count));
                }
                System.Security.Cryptography.CryptographicOperations.ZeroMemory(buffer);
                return Finish(hash);
            }
        }

        private static void Absorb(Sm3Handle hash, ReadOnlySpan<byte> data)
        {
            fixed (byte* bytes = data)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_update(hash, bytes, (UIntPtr)(uint)data.Length));
            }
        }

        private static byte[] Finish(Sm3Handle hash)
        {
            var digest = new byte[DigestLength];
            fixed (byte* output = digest)
            {
                Failure.Check(Sm3Native.kuaimi_sm3_finish(hash, output));
            }
            return digest;
        }
    }
}
