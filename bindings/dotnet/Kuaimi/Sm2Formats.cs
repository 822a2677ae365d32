using System;

namespace Kuaimi
{
    /// <summary>How a signature of SM2 is written. The names are those of .NET's <c>DSASignatureFormat</c>.</summary>
    public enum Sm2SignatureFormat
    {
        /// <summary>DER (GM/T 0009), at most 72 bytes: what other programs for SM2 usually write, and the default here.</summary>
        Rfc3279DerSequence = 0,

        /// <summary>r and s, 64 bytes.</summary>
        IeeeP1363FixedFieldConcatenation = 1,
    }

    /// <summary>How a ciphertext of SM2 is written.</summary>
    public enum Sm2CiphertextFormat
    {
        /// <summary>Point, digest, masked plaintext: the standard's order. 97 bytes more than the plaintext.</summary>
        C1C3C2 = 1,

        /// <summary>Point, masked plaintext, digest: the order of an older draft, still in use. 97 bytes more than the plaintext.</summary>
        C1C2C3 = 2,

        /// <summary>As <see cref="C1C3C2"/>, without the point's first byte 04. 96 bytes more than the plaintext.</summary>
        BareC1C3C2 = 3,

        /// <summary>As <see cref="C1C2C3"/>, without the point's first byte 04. 96 bytes more than the plaintext.</summary>
        BareC1C2C3 = 4,

        /// <summary>DER (GM/T 0009). At most 124 bytes more than the plaintext. The default.</summary>
        Der = 5,

        /// <summary>For decryption alone: DER as some vendors write it against the rules.</summary>
        DerLenient = 6,

        /// <summary>For decryption alone: whichever of the first five it is.</summary>
        Any = 7,
    }

    /// <summary>One signature to be verified among many: see <see cref="Sm2.VerifyBatch(ReadOnlySpan{Sm2VerifyItem})"/>.</summary>
    public readonly struct Sm2VerifyItem
    {
        /// <summary>One signature to be verified.</summary>
        /// <param name="key">Whose signature it should be, under the default identity; not null.</param>
        /// <param name="data">The message.</param>
        /// <param name="signature">The signature.</param>
        /// <param name="format">How the signature is written.</param>
        public Sm2VerifyItem(Sm2 key, ReadOnlyMemory<byte> data, ReadOnlyMemory<byte> signature, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            Key = Arguments.NotNull(key, nameof(key));
            Data = data;
            Signature = signature;
            Format = format;
        }

        /// <summary>Whose signature it should be.</summary>
        public Sm2 Key { get; }

        /// <summary>The message.</summary>
        public ReadOnlyMemory<byte> Data { get; }

        /// <summary>The signature.</summary>
        public ReadOnlyMemory<byte> Signature { get; }

        /// <summary>How the signature is written.</summary>
        public Sm2SignatureFormat Format { get; }
    }
}
