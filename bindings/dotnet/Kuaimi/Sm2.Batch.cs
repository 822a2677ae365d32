using System;
using System.Buffers;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    public sealed unsafe partial class Sm2
    {
        // One call to the C library is for so many items, and so many bytes of them: what is held at a time is bounded.
        private const int BatchItems = 1024;
        private const int BatchBytes = 1 << 20;
        private const int RawSignatureLength = 64;

        /// <summary>Verifies many signatures, faster than one by one: those of any keys, messages and formats together.</summary>
        /// <param name="items">The signatures.</param>
        /// <returns>A verdict for each, in their order. What is no signature is false.</returns>
        public static bool[] VerifyBatch(ReadOnlySpan<Sm2VerifyItem> items)
        {
            var verdicts = new bool[items.Length];
            VerifyBatch(items, verdicts);
            return verdicts;
        }

        /// <summary>Verifies many signatures, faster than one by one: those of any keys, messages and formats together.</summary>
        /// <param name="items">The signatures.</param>
        /// <param name="verdicts">A verdict for each, in their order; as many as items. False until it is known.</param>
        /// <exception cref="ArgumentException">There are more or fewer verdicts than items, or an item has no key.</exception>
        public static void VerifyBatch(ReadOnlySpan<Sm2VerifyItem> items, Span<bool> verdicts)
        {
            Arguments.Length(verdicts.Length, items.Length, nameof(verdicts));
            verdicts.Clear();
            foreach (var item in items)
            {
                if (item.Key is null)
                {
                    throw new ArgumentException("an item has no key", nameof(items));
                }
            }
            var bytes = ArrayPool<byte>.Shared.Rent(BatchBytes);
            var natives = ArrayPool<Sm2VerifyItemNative>.Shared.Rent(Math.Min(items.Length, BatchItems));
            var results = ArrayPool<int>.Shared.Rent(natives.Length);
            try
            {
                while (!items.IsEmpty)
                {
                    var count = VerifySome(items, verdicts, bytes, natives, results);
                    items = items.Slice(count);
                    verdicts = verdicts.Slice(count);
                }
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(bytes);
                ArrayPool<Sm2VerifyItemNative>.Shared.Return(natives);
                ArrayPool<int>.Shared.Return(results);
            }
        }

        /// <summary>Signs many messages under the default identity, faster than one by one.</summary>
        /// <param name="messages">The messages.</param>
        /// <param name="format">How the signatures are written.</param>
        /// <returns>A signature for each, in their order.</returns>
        /// <exception cref="CryptographicException">There is no private key.</exception>
        public byte[][] SignBatch(ReadOnlySpan<ReadOnlyMemory<byte>> messages, Sm2SignatureFormat format = Sm2SignatureFormat.Rfc3279DerSequence)
        {
            var form = Form(format);
            var signatures = new byte[messages.Length][];
            var key = Keys.Signing.Default;
            var bytes = ArrayPool<byte>.Shared.Rent(BatchBytes);
            try
            {
                for (var done = 0; done < messages.Length;)
                {
                    done += SignSome(key, messages.Slice(done), form, signatures.AsSpan(done), bytes);
                }
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(bytes);
            }
            return signatures;
        }

        /// Messages and signatures are copied one after another: a pin for each would take longer, and what others change meanwhile changes nothing.
        private static int VerifySome(ReadOnlySpan<Sm2VerifyItem> items, Span<bool> verdicts, byte[] bytes, Sm2VerifyItemNative[] natives, int[] results)
        {
            Span<byte> room = bytes;
            var count = 0;
            Sm2VerifyingKeyHandle? last = null;
            // A key is held from its first use in a row to the end of the call, also if somebody disposes of it.
            var held = 0;
            var handles = ArrayPool<Sm2VerifyingKeyHandle>.Shared.Rent(natives.Length);
            try
            {
                fixed (byte* start = bytes)
                fixed (Sm2VerifyItemNative* list = natives)
                fixed (int* output = results)
                {
                    while (count < items.Length && count < BatchItems)
                    {
                        ref readonly var item = ref items[count];
                        var data = item.Data.Span;
                        var signature = item.Signature.Span;
                        if (signature.Length > MaxSignatureLength)
                        {
                            // No signature; one byte of it is none either, and fits.
                            signature = signature.Slice(0, 1);
                        }
                        if (data.Length + signature.Length > room.Length)
                        {
                            break;
                        }
                        var key = item.Key.Keys.Verifying.Default;
                        if (!ReferenceEquals(key, last))
                        {
                            var isHeld = false;
                            key.DangerousAddRef(ref isHeld);
                            handles[held++] = key;
                            last = key;
                        }
                        var place = start + (bytes.Length - room.Length);
                        data.CopyTo(room);
                        signature.CopyTo(room.Slice(data.Length));
                        room = room.Slice(data.Length + signature.Length);
                        list[count] = new Sm2VerifyItemNative
                        {
                            Key = key.DangerousGetHandle(),
                            Content = new Bytes { Data = place, Length = (UIntPtr)(uint)data.Length },
                            Signature = new Bytes { Data = place + data.Length, Length = (UIntPtr)(uint)signature.Length },
                            Form = Form(item.Format),
                        };
                        count++;
                    }
                    if (count == 0)
                    {
                        // One that is larger than all that is held: it is read in place.
                        ref readonly var item = ref items[0];
                        verdicts[0] = Verify(item.Key.Keys.Verifying.Default, item.Data.Span, item.Signature.Span, item.Format);
                        return 1;
                    }
                    var error = Sm2Native.kuaimi_sm2_verify_batch(list, (UIntPtr)(uint)count, output);
                    if (error != Failure.Ok && error != Failure.InvalidSignature)
                    {
                        throw Failure.Of(error);
                    }
                    for (var i = 0; i < count; i++)
                    {
                        verdicts[i] = Failure.Verdict(output[i]);
                    }
                }
                return count;
            }
            finally
            {
                CryptographicOperations.ZeroMemory(bytes.AsSpan(0, bytes.Length - room.Length));
                for (var i = 0; i < held; i++)
                {
                    handles[i].DangerousRelease();
                }
                ArrayPool<Sm2VerifyingKeyHandle>.Shared.Return(handles, clearArray: true);
            }
        }

        private static int SignSome(Sm2SigningKeyHandle key, ReadOnlySpan<ReadOnlyMemory<byte>> messages, SignatureForm form, Span<byte[]> signatures, byte[] bytes)
        {
            var items = new Sm2SignItemNative[Math.Min(messages.Length, BatchItems)];
            Span<byte> room = bytes;
            var count = 0;
            var isHeld = false;
            try
            {
                key.DangerousAddRef(ref isHeld);
                fixed (byte* start = bytes)
                fixed (Sm2SignItemNative* list = items)
                {
                    while (count < items.Length && messages[count].Length <= room.Length)
                    {
                        var message = messages[count].Span;
                        message.CopyTo(room);
                        list[count++] = new Sm2SignItemNative
                        {
                            Key = key.DangerousGetHandle(),
                            Content = new Bytes { Data = start + (bytes.Length - room.Length), Length = (UIntPtr)(uint)message.Length },
                        };
                        room = room.Slice(message.Length);
                    }
                    if (count == 0)
                    {
                        signatures[0] = SignOne(key, messages[0].Span, form);
                        return 1;
                    }
                    var raw = new byte[count * RawSignatureLength];
                    var results = new int[count];
                    fixed (byte* output = raw)
                    fixed (int* errors = results)
                    {
                        Failure.Check(Sm2Native.kuaimi_sm2_sign_batch(list, (UIntPtr)(uint)count, output, errors));
                        for (var i = 0; i < count; i++)
                        {
                            signatures[i] = form == SignatureForm.Raw ? raw.AsSpan(i * RawSignatureLength, RawSignatureLength).ToArray() : InDer(output + (i * RawSignatureLength));
                        }
                    }
                }
                return count;
            }
            finally
            {
                CryptographicOperations.ZeroMemory(bytes.AsSpan(0, bytes.Length - room.Length));
                if (isHeld)
                {
                    key.DangerousRelease();
                }
            }
        }

        private static byte[] SignOne(Sm2SigningKeyHandle key, ReadOnlySpan<byte> data, SignatureForm form)
        {
            Span<byte> signature = stackalloc byte[MaxSignatureLength];
            var length = (UIntPtr)MaxSignatureLength;
            fixed (byte* message = data)
            fixed (byte* output = signature)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_sign(key, message, (UIntPtr)(uint)data.Length, form, output, &length));
            }
            return signature.Slice(0, (int)length).ToArray();
        }

        private static byte[] InDer(byte* raw)
        {
            Span<byte> signature = stackalloc byte[MaxSignatureLength];
            var length = (UIntPtr)MaxSignatureLength;
            fixed (byte* output = signature)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_signature_convert(raw, (UIntPtr)RawSignatureLength, SignatureForm.Raw, SignatureForm.Der, output, &length));
            }
            return signature.Slice(0, (int)length).ToArray();
        }
    }
}
