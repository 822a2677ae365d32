using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    /// A message of CBC or ECB that comes in pieces.
    internal sealed unsafe class Sm4Transform : ICryptoTransform
    {
        private const int Block = 16;

        private readonly Sm4CbcHandle _cbc;
        private readonly Sm4Handle? _ecb;
        private readonly byte[] _firstIv;
        private readonly byte[] _iv;
        private readonly PaddingMode _padding;
        private readonly bool _encrypt;

        // The last block of ciphertext so far: it may be the one with the padding.
        private readonly byte[] _held = new byte[Block];
        private bool _holds;

        internal Sm4Transform(byte[] key, byte[]? iv, PaddingMode padding, bool encrypt)
        {
            _firstIv = iv is null ? new byte[Block] : (byte[])iv.Clone();
            _iv = (byte[])_firstIv.Clone();
            _padding = padding;
            _encrypt = encrypt;
            fixed (byte* bytes = key)
            {
                // ECB needs it, too: a last block of ECB is one of CBC with zeros, and so has its padding done in constant time.
                Failure.Check(Sm4Native.kuaimi_sm4_cbc_new(bytes, out _cbc));
                if (iv is null)
                {
                    Failure.Check(Sm4Native.kuaimi_sm4_new(bytes, out _ecb!));
                }
            }
        }

        public int InputBlockSize => Block;

        public int OutputBlockSize => Block;

        public bool CanTransformMultipleBlocks => true;

        public bool CanReuseTransform => true;

        public int TransformBlock(byte[] inputBuffer, int inputOffset, int inputCount, byte[] outputBuffer, int outputOffset)
        {
            var input = Arguments.Segment(inputBuffer, inputOffset, inputCount, nameof(inputBuffer));
            if (inputCount == 0 || inputCount % Block != 0)
            {
                throw new ArgumentOutOfRangeException(nameof(inputCount), inputCount, "whole blocks of 16 bytes are needed, and at least one");
            }
            Arguments.NotNull(outputBuffer, nameof(outputBuffer));
            if (outputOffset < 0 || outputOffset > outputBuffer.Length)
            {
                throw new ArgumentOutOfRangeException(nameof(outputOffset));
            }
            var output = outputBuffer.AsSpan(outputOffset);
            var holds = !_encrypt && _padding == PaddingMode.PKCS7;
            var length = inputCount - (holds && !_holds ? Block : 0);
            if (output.Length < length)
            {
                throw new ArgumentOutOfRangeException(nameof(outputBuffer), "the output is too small");
            }
            if (input.Overlaps(output, out var offset) && (holds || offset != 0))
            {
                var copy = input.ToArray();
                Piece(copy, output, holds);
                CryptographicOperations.ZeroMemory(copy);
            }
            else
            {
                Piece(input, output, holds);
            }
            return length;
        }

        public byte[] TransformFinalBlock(byte[] inputBuffer, int inputOffset, int inputCount)
        {
            var input = Arguments.Segment(inputBuffer, inputOffset, inputCount, nameof(inputBuffer));
            try
            {
                return _encrypt ? EncryptEnd(input) : DecryptEnd(input);
            }
            finally
            {
                Reset();
            }
        }

        public void Dispose()
        {
            Reset();
            _cbc.Dispose();
            _ecb?.Dispose();
        }

        /// Blocks of which none is the last, or all have to come out.
        private void Piece(ReadOnlySpan<byte> input, Span<byte> output, bool holds)
        {
            if (!holds)
            {
                Blocks(input, output);
                return;
            }
            if (_holds)
            {
                Blocks(_held, output);
                output = output.Slice(Block);
            }
            Blocks(input.Slice(0, input.Length - Block), output);
            input.Slice(input.Length - Block).CopyTo(_held);
            _holds = true;
        }

        private void Blocks(ReadOnlySpan<byte> input, Span<byte> output)
        {
            if (input.IsEmpty)
            {
                return;
            }
            // Before it is overwritten, where the two are the same memory.
            Span<byte> next = stackalloc byte[Block];
            input.Slice(input.Length - Block).CopyTo(next);
            var length = (UIntPtr)(uint)input.Length;
            fixed (byte* data = input)
            fixed (byte* result = output)
            fixed (byte* iv = _iv)
            {
                if (_ecb != null)
                {
                    Failure.Check(_encrypt ? Sm4Native.kuaimi_sm4_ecb_encrypt(_ecb, data, length, result) : Sm4Native.kuaimi_sm4_ecb_decrypt(_ecb, data, length, result));
                    return;
                }
                if (_encrypt)
                {
                    Failure.Check(Sm4Native.kuaimi_sm4_cbc_encrypt(_cbc, iv, data, length, result));
                    output.Slice(input.Length - Block, Block).CopyTo(next);
                }
                else
                {
                    Failure.Check(Sm4Native.kuaimi_sm4_cbc_decrypt(_cbc, iv, data, length, result));
                }
            }
            next.CopyTo(_iv);
        }

        private byte[] EncryptEnd(ReadOnlySpan<byte> input)
        {
            var whole = input.Length / Block * Block;
            var rest = input.Slice(whole);
            if (_padding == PaddingMode.None && !rest.IsEmpty)
            {
                throw new CryptographicException("without padding, the data must be whole blocks of 16 bytes");
            }
            var padded = _padding == PaddingMode.PKCS7 || !rest.IsEmpty;
            var result = new byte[whole + (padded ? Block : 0)];
            Blocks(input.Slice(0, whole), result);
            if (_padding == PaddingMode.PKCS7)
            {
                fixed (byte* data = rest)
                fixed (byte* output = &result[whole])
                fixed (byte* iv = _iv)
                {
                    var length = (UIntPtr)Block;
                    Failure.Check(Sm4Native.kuaimi_sm4_cbc_encrypt_padded(_cbc, iv, data, (UIntPtr)(uint)rest.Length, output, &length));
                }
            }
            else if (padded)
            {
                Span<byte> zeros = stackalloc byte[Block];
                zeros.Clear();
                rest.CopyTo(zeros);
                Blocks(zeros, result.AsSpan(whole));
                CryptographicOperations.ZeroMemory(zeros);
            }
            return result;
        }

        private byte[] DecryptEnd(ReadOnlySpan<byte> input)
        {
            var total = input.Length + (_holds ? Block : 0);
            if (total % Block != 0)
            {
                throw Failure.Of(KuaimiErrorKind.DecryptionFailed);
            }
            if (_padding != PaddingMode.PKCS7)
            {
                var blocks = new byte[total];
                Blocks(input, blocks);
                return blocks;
            }
            var ciphertext = new byte[total];
            if (_holds)
            {
                _held.CopyTo(ciphertext, 0);
            }
            input.CopyTo(ciphertext.AsSpan(_holds ? Block : 0));
            return Unpadded(ciphertext);
        }

        /// One failure for a wrong padding and for no block at all.
        private byte[] Unpadded(byte[] ciphertext)
        {
            if (ciphertext.Length == 0)
            {
                throw Failure.Of(KuaimiErrorKind.DecryptionFailed);
            }
            var before = ciphertext.Length - Block;
            var plaintext = new byte[ciphertext.Length];
            try
            {
                Blocks(ciphertext.AsSpan(0, before), plaintext);
                UIntPtr length = (UIntPtr)Block;
                fixed (byte* last = &ciphertext[before])
                fixed (byte* output = &plaintext[before])
                fixed (byte* iv = _iv)
                {
                    Failure.Check(Sm4Native.kuaimi_sm4_cbc_decrypt_padded(_cbc, iv, last, (UIntPtr)Block, output, &length));
                }
                return plaintext.AsSpan(0, before + (int)length).ToArray();
            }
            finally
            {
                CryptographicOperations.ZeroMemory(plaintext);
            }
        }

        private void Reset()
        {
            _firstIv.CopyTo(_iv, 0);
            CryptographicOperations.ZeroMemory(_held);
            _holds = false;
        }
    }
}
