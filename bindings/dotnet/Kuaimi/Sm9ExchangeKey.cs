using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>A user's key for SM9 key exchange. Threads may share it.</summary>
    public sealed unsafe class Sm9ExchangeKey : IDisposable
    {
        internal Sm9ExchangeKey(Sm9ExchangeKeyHandle handle)
        {
            Handle = handle;
        }

        internal Sm9ExchangeKeyHandle Handle { get; }

        /// <summary>The key that is a point, of a user under a master public key. It is checked that they belong together.</summary>
        /// <param name="master">The master public key; not null.</param>
        /// <param name="point">128 bytes, or 129 after 04.</param>
        /// <param name="identity">The user.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 2.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It is no point, or another user's.</exception>
        public static Sm9ExchangeKey ImportRaw(Sm9MasterEncryptionPublicKey master, ReadOnlySpan<byte> point, ReadOnlySpan<byte> identity, byte hid = 0) =>
            new Sm9ExchangeKey(Sm9Calls.Import<Sm9MasterEncryptionPublicKeyHandle, Sm9ExchangeKeyHandle>(
                Sm9Native.kuaimi_sm9_exchange_key_from_bytes, Arguments.NotNull(master, nameof(master)).Handle, point, identity, hid));

        /// <summary>Reads the content of a file with a user's key: PKCS#8, encrypted or not, with the master public key, in PEM, DER, hexadecimal or Base64.</summary>
        /// <param name="content">The content of the file.</param>
        /// <param name="identity">The user. It is checked that the key is this user's.</param>
        /// <param name="password">The password, whose UTF-8 is taken; it is not used for a key that is not encrypted.</param>
        /// <param name="hid">The function identifier; 0 means the usual one, 2.</param>
        /// <returns>The key.</returns>
        /// <exception cref="KuaimiException">It cannot be read: <see cref="KuaimiException.Kind"/> says why.</exception>
        public static Sm9ExchangeKey Import(ReadOnlySpan<byte> content, ReadOnlySpan<byte> identity, ReadOnlySpan<char> password = default, byte hid = 0) =>
            new Sm9ExchangeKey(Sm9Calls.Read<Sm9ExchangeKeyHandle>(Sm9Native.kuaimi_sm9_exchange_key_read, content, identity, password, hid));

        /// <summary>Makes the table of the key now, and of its master public key what is needed with it: it is faster with them.</summary>
        public void Prepare() => Failure.Check(Sm9Native.kuaimi_sm9_exchange_key_prepare(Handle));

        /// <summary>The key, not encrypted. Wipe it after use.</summary>
        /// <param name="format">Raw, Der, Pkcs8Pem or Pkcs8Der.</param>
        /// <returns>The bytes; PEM is ASCII.</returns>
        /// <exception cref="ArgumentException">The format is not one of these.</exception>
        public byte[] Export(Sm9KeyFormat format = Sm9KeyFormat.Pkcs8Der) => Sm9Calls.Write(Sm9Native.kuaimi_sm9_exchange_key_write, Handle, format);

        /// <summary>The key in PKCS#8 and PEM, encrypted with SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations: some tenths of a second.</summary>
        /// <param name="password">The password, whose UTF-8 is taken.</param>
        /// <returns>PEM, in ASCII.</returns>
        public byte[] ExportEncryptedPem(ReadOnlySpan<char> password) => Sm9Calls.WriteEncrypted(Sm9Native.kuaimi_sm9_exchange_key_write_encrypted, Handle, password);

        /// <summary>Starts a key exchange (GB/T 38635.2-2020, 7) as its initiator: send <see cref="Sm9KeyExchangeInitiator.Point"/> to the responder.</summary>
        /// <param name="peerIdentity">The responder.</param>
        /// <param name="peerHid">The responder's function identifier; 0 means the usual one, 2.</param>
        /// <returns>The initiator, which finishes once.</returns>
        public Sm9KeyExchangeInitiator StartKeyExchange(ReadOnlySpan<byte> peerIdentity, byte peerHid = 0)
        {
            var point = new byte[65];
            fixed (byte* id = peerIdentity)
            fixed (byte* output = point)
            {
                Failure.Check(Sm9Native.kuaimi_sm9_exchange_start(Handle, id, (UIntPtr)(uint)peerIdentity.Length, peerHid, out var initiator, output));
                return new Sm9KeyExchangeInitiator(initiator, point);
            }
        }

        /// <summary>Answers a key exchange as its responder: send the point and the confirmation of the result to the initiator.</summary>
        /// <param name="peerIdentity">The initiator.</param>
        /// <param name="peerPoint">The initiator's point.</param>
        /// <param name="keyLength">The length of the shared key in bytes.</param>
        /// <param name="peerHid">The initiator's function identifier; 0 means the usual one, 2.</param>
        /// <returns>The responder, which gives its key once.</returns>
        /// <exception cref="KuaimiException">The point is no point of the group.</exception>
        public Sm9KeyExchangeResponder RespondToKeyExchange(ReadOnlySpan<byte> peerIdentity, ReadOnlySpan<byte> peerPoint, int keyLength, byte peerHid = 0)
        {
            Arguments.Positive(keyLength, nameof(keyLength));
            var point = new byte[65];
            var confirmation = new byte[32];
            fixed (byte* id = peerIdentity)
            fixed (byte* received = peerPoint)
            fixed (byte* output = point)
            fixed (byte* confirmationOutput = confirmation)
            {
                Failure.Check(Sm9Native.kuaimi_sm9_exchange_respond(
                    Handle, id, (UIntPtr)(uint)peerIdentity.Length, peerHid, received, (UIntPtr)(uint)peerPoint.Length, (UIntPtr)(uint)keyLength,
                    out var response, output, confirmationOutput));
                return new Sm9KeyExchangeResponder(response, point, confirmation, keyLength);
            }
        }

        /// <summary>Wipes and frees the key.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
