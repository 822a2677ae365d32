// Checks of arguments that several classes share.

using System;

namespace Kuaimi
{
    internal static class Arguments
    {
        internal static T NotNull<T>(T? argument, string name)
            where T : class => argument ?? throw new ArgumentNullException(name);

        /// SM4's key, as AesGcm and others check theirs.
        internal static void Sm4Key(ReadOnlySpan<byte> key)
        {
            if (key.Length != 16)
            {
                throw new KuaimiException(KuaimiErrorKind.KeyLength, $"a key of SM4 has 16 bytes: this one has {key.Length}");
            }
        }

        internal static void Length(int found, int wanted, string name)
        {
            if (found != wanted)
            {
                throw new ArgumentException($"{name} has {found} bytes: it must have {wanted}", name);
            }
        }

        internal static void Positive(int value, string name)
        {
            if (value <= 0)
            {
                throw new ArgumentOutOfRangeException(name, value, $"{name} must be positive");
            }
        }

        /// What an authenticated cipher reads and writes: the same length, and the same memory or other memory.
        internal static void Sealed(ReadOnlySpan<byte> input, ReadOnlySpan<byte> output, ReadOnlySpan<byte> tag)
        {
            if (input.Length != output.Length)
            {
                throw new ArgumentException("plaintext and ciphertext must have the same length");
            }
            if (input.Overlaps(output, out var offset) && offset != 0)
            {
                throw new ArgumentException("plaintext and ciphertext overlap: they must be the same memory, or apart");
            }
            if (tag.Overlaps(input) || tag.Overlaps(output))
            {
                throw new ArgumentException("the tag overlaps the plaintext or the ciphertext");
            }
        }

        /// A segment of an array, as ICryptoTransform's methods take it.
        internal static ReadOnlySpan<byte> Segment(byte[]? array, int offset, int count, string name)
        {
            NotNull(array, name);
            if (offset < 0 || count < 0 || count > array!.Length - offset)
            {
                throw new ArgumentOutOfRangeException(name, "the offset and the count name bytes outside the array");
            }
            return new ReadOnlySpan<byte>(array, offset, count);
        }
    }
}
