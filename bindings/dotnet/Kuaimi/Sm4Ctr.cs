using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>
    /// SM4 in counter mode, as a transform for <see cref="CryptoStream"/> and for memory. Encryption and decryption are the same. It does not detect altered
    /// data: take <see cref="Sm4Gcm"/> if you can choose. For one message, and one thread at a time.
    /// </summary>
    public sealed unsafe class Sm4Ctr : ICryptoTransform
    {
        private readonly Sm4CtrHandle _stream;

        /// <summary>The key stream of a key and a first counter. <b>Never use a counter twice with a key.</b></summary>
        /// <param name="key">16 bytes.</param>
        /// <param name="counter">The first counter, 16 bytes; it counts upwards, most significant byte first.</param>
        /// <exception cref="CryptographicException">The key has another length.</exception>
        /// <exception cref="ArgumentException">The counter has another length.</exception>
        public Sm4Ctr(ReadOnlySpan<byte> key, ReadOnlySpan<byte> counter)
        {
            Arguments.Sm4Key(key);
            Arguments.Length(counter.Length, 16, nameof(counter));
            fixed (byte* bytes = key)
            fixed (byte* iv = counter)
            {
                Failure.Check(Sm4Native.kuaimi_sm4_ctr_new(bytes, iv, out _stream));
            }
        }

        /// <inheritdoc/>
        public int InputBlockSize => 1;

        /// <inheritdoc/>
        public int OutputBlockSize => 1;

        /// <inheritdoc/>
        public bool CanTransformMultipleBlocks => true;

        /// <inheritdoc/>
        public bool CanReuseTransform => false;

        /// <summary>Encrypts or decrypts the next bytes of the message.</summary>
        /// <param name="source">The next bytes.</param>
        /// <param name="destination">At least as many bytes; the same memory or other memory.</param>
        /// <exception cref="ArgumentException">The destination is too small, or overlaps the source in part.</exception>
        public void Transform(ReadOnlySpan<byte> source, Span<byte> destination)
        {
            if (destination.Length < source.Length)
            {
                throw new ArgumentException("the destination is too small", nameof(destination));
            }
            destination = destination.Slice(0, source.Length);
            if (source.Overlaps(destination, out var offset) && offset != 0)
            {
                throw new ArgumentException("source and destination overlap: they must be the same memory, or apart");
            }
            fixed (byte* data = source)
            fixed (byte* output = destination)
            {
                Failure.Check(Sm4Native.kuaimi_sm4_ctr_apply(_stream, data, (UIntPtr)(uint)source.Length, output));
            }
        }

        /// <inheritdoc/>
        public int TransformBlock(byte[] inputBuffer, int inputOffset, int inputCount, byte[] outputBuffer, int outputOffset)
        {
            var input = Arguments.Segment(inputBuffer, inputOffset, inputCount, nameof(inputBuffer));
            Arguments.NotNull(outputBuffer, nameof(outputBuffer));
            if (outputOffset < 0 || outputOffset > outputBuffer.Length)
            {
                throw new ArgumentOutOfRangeException(nameof(outputOffset));
            }
            Transform(input, outputBuffer.AsSpan(outputOffset));
            return inputCount;
        }

        /// <inheritdoc/>
        public byte[] TransformFinalBlock(byte[] inputBuffer, int inputOffset, int inputCount)
        {
            var input = Arguments.Segment(inputBuffer, inputOffset, inputCount, nameof(inputBuffer));
            var output = new byte[inputCount];
            Transform(input, output);
            return output;
        }

        /// <summary>Wipes and frees the key stream.</summary>
        public void Dispose() => _stream.Dispose();
    }
}
