// What all keys of SM9 do in the same way: reading, writing, importing.

using System;

namespace Kuaimi.Native
{
    internal static unsafe class Sm9Calls
    {
        internal delegate int WriteKey<THandle>(THandle key, KeyForm form, byte* output, UIntPtr* length);

        internal delegate int WriteEncryptedKey<THandle>(
            THandle key, byte* password, UIntPtr passwordLength, PasswordEncryption* encryption, KeyForm form, byte* output, UIntPtr* length);

        internal delegate int ReadSecret<THandle>(byte* content, UIntPtr length, byte* password, UIntPtr passwordLength, out THandle key);

        internal delegate int ReadPublic<THandle>(byte* content, UIntPtr length, out THandle key);

        internal delegate int ReadUser<THandle>(
            byte* content, UIntPtr length, byte* password, UIntPtr passwordLength, byte* identity, UIntPtr identityLength, byte hid, out THandle key);

        internal delegate int UserFromBytes<TMaster, THandle>(
            TMaster master, byte* bytes, UIntPtr length, byte* identity, UIntPtr identityLength, byte hid, out THandle key);

        internal delegate int ForUser<TMaster, THandle>(TMaster master, byte* identity, UIntPtr length, byte hid, out THandle key);

        internal static byte[] Write<THandle>(WriteKey<THandle> write, THandle key, Sm9KeyFormat format) =>
            Output.Array((output, length) => write(key, (KeyForm)format, output, length));

        internal static byte[] WriteEncrypted<THandle>(WriteEncryptedKey<THandle> write, THandle key, ReadOnlySpan<char> password)
        {
            using var bytes = new Utf8(password);
            fixed (byte* secret = bytes.Span)
            {
                var start = secret;
                var length = (UIntPtr)(uint)bytes.Span.Length;
                return Output.Array((output, written) => write(key, start, length, null, KeyForm.Pkcs8Pem, output, written));
            }
        }

        internal static THandle Read<THandle>(ReadSecret<THandle> read, ReadOnlySpan<byte> content, ReadOnlySpan<char> password)
        {
            using var bytes = new Utf8(password);
            fixed (byte* data = content)
            fixed (byte* secret = bytes.Span)
            {
                Failure.Check(read(data, (UIntPtr)(uint)content.Length, secret, (UIntPtr)(uint)bytes.Span.Length, out var key));
                return key;
            }
        }

        internal static THandle Read<THandle>(ReadPublic<THandle> read, ReadOnlySpan<byte> content)
        {
            fixed (byte* data = content)
            {
                Failure.Check(read(data, (UIntPtr)(uint)content.Length, out var key));
                return key;
            }
        }

        internal static THandle Read<THandle>(ReadUser<THandle> read, ReadOnlySpan<byte> content, ReadOnlySpan<byte> identity, ReadOnlySpan<char> password, byte hid)
        {
            using var bytes = new Utf8(password);
            fixed (byte* data = content)
            fixed (byte* secret = bytes.Span)
            fixed (byte* id = identity)
            {
                Failure.Check(read(data, (UIntPtr)(uint)content.Length, secret, (UIntPtr)(uint)bytes.Span.Length, id, (UIntPtr)(uint)identity.Length, hid, out var key));
                return key;
            }
        }

        internal static THandle Import<TMaster, THandle>(
            UserFromBytes<TMaster, THandle> import, TMaster master, ReadOnlySpan<byte> point, ReadOnlySpan<byte> identity, byte hid)
        {
            fixed (byte* data = point)
            fixed (byte* id = identity)
            {
                Failure.Check(import(master, data, (UIntPtr)(uint)point.Length, id, (UIntPtr)(uint)identity.Length, hid, out var key));
                return key;
            }
        }

        internal static THandle User<TMaster, THandle>(ForUser<TMaster, THandle> make, TMaster master, ReadOnlySpan<byte> identity, byte hid)
        {
            fixed (byte* id = identity)
            {
                Failure.Check(make(master, id, (UIntPtr)(uint)identity.Length, hid, out var key));
                return key;
            }
        }
    }
}
