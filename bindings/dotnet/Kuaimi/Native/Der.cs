// What a DER element is, as far as .NET's import methods must know: how long it is, and which structure.

using System;

namespace Kuaimi.Native
{
    internal static class Der
    {
        internal enum Structure
        {
            Other,
            Pkcs8,
            EncryptedPkcs8,
            Sec1,
            SubjectPublicKeyInfo,
        }

        /// The first element alone, which must have this structure: what follows is the caller's.
        internal static ReadOnlySpan<byte> First(ReadOnlySpan<byte> source, Structure wanted)
        {
            if (!Header(source, 0x30, out var start, out var length))
            {
                throw Failure.Of(KuaimiErrorKind.Malformed);
            }
            if (Of(source.Slice(start, length)) != wanted)
            {
                throw Failure.Of(KuaimiErrorKind.OtherKey);
            }
            return source.Slice(0, start + length);
        }

        private static Structure Of(ReadOnlySpan<byte> content)
        {
            // AlgorithmIdentifier: both begin with it.
            if (Header(content, 0x30, out var start, out var length))
            {
                if (!Header(content.Slice(start, length), 0x06, out _, out _))
                {
                    return Structure.Other;
                }
                var rest = content.Slice(start + length);
                return Header(rest, 0x03, out _, out _) ? Structure.SubjectPublicKeyInfo
                    : Header(rest, 0x04, out _, out _) ? Structure.EncryptedPkcs8
                    : Structure.Other;
            }
            // The version.
            if (Header(content, 0x02, out start, out length))
            {
                var rest = content.Slice(start + length);
                return Header(rest, 0x30, out _, out _) ? Structure.Pkcs8
                    : Header(rest, 0x04, out _, out _) ? Structure.Sec1
                    : Structure.Other;
            }
            return Structure.Other;
        }

        /// Where the content of the first element is, if it has this tag and is all there.
        private static bool Header(ReadOnlySpan<byte> source, byte tag, out int start, out int length)
        {
            start = 2;
            length = 0;
            if (source.Length < 2 || source[0] != tag)
            {
                return false;
            }
            if (source[1] < 0x80)
            {
                length = source[1];
            }
            else
            {
                var count = source[1] & 0x7f;
                // Keys are shorter than 16 MiB.
                if (count < 1 || count > 3 || source.Length < 2 + count)
                {
                    return false;
                }
                foreach (var digit in source.Slice(2, count))
                {
                    length = (length << 8) | digit;
                }
                start += count;
            }
            return length <= source.Length - start;
        }
    }
}
