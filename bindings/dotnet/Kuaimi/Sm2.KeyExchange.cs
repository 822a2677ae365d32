using System;
using System.Security.Cryptography;
using Kuaimi.Native;

namespace Kuaimi
{
    public sealed unsafe partial class Sm2
    {
        /// <summary>Starts a key exchange (GB/T 32918.3-2016) as its initiator, with default identities: send <see cref="Sm2KeyExchangeInitiator.Point"/> to the responder.</summary>
        /// <param name="peer">The responder's public key; not null.</param>
        /// <returns>The initiator, which finishes once.</returns>
        public Sm2KeyExchangeInitiator StartKeyExchange(Sm2 peer)
        {
            var point = new byte[PointLength];
            fixed (byte* output = point)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_exchange_start(
                    Keys.Private, Arguments.NotNull(peer, nameof(peer)).Keys.Public, null, UIntPtr.Zero, null, UIntPtr.Zero, out var initiator, output));
                return new Sm2KeyExchangeInitiator(initiator, point);
            }
        }

        /// <summary>Starts a key exchange (GB/T 32918.3-2016) as its initiator: send <see cref="Sm2KeyExchangeInitiator.Point"/> to the responder.</summary>
        /// <param name="peer">The responder's public key; not null.</param>
        /// <param name="identity">The own identity, at most 8191 bytes.</param>
        /// <param name="peerIdentity">The responder's identity, at most 8191 bytes.</param>
        /// <returns>The initiator, which finishes once.</returns>
        public Sm2KeyExchangeInitiator StartKeyExchange(Sm2 peer, ReadOnlySpan<byte> identity, ReadOnlySpan<byte> peerIdentity)
        {
            var point = new byte[PointLength];
            byte empty;
            fixed (byte* own = identity)
            fixed (byte* other = peerIdentity)
            fixed (byte* output = point)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_exchange_start(
                    Keys.Private, Arguments.NotNull(peer, nameof(peer)).Keys.Public,
                    own == null ? &empty : own, (UIntPtr)(uint)identity.Length, other == null ? &empty : other, (UIntPtr)(uint)peerIdentity.Length,
                    out var initiator, output));
                return new Sm2KeyExchangeInitiator(initiator, point);
            }
        }

        /// <summary>Answers a key exchange as its responder, with default identities: send the point and the confirmation of the result to the initiator.</summary>
        /// <param name="peer">The initiator's public key; not null.</param>
        /// <param name="peerPoint">The initiator's point.</param>
        /// <param name="keyLength">The length of the shared key in bytes.</param>
        /// <returns>The responder, which gives its key once.</returns>
        /// <exception cref="KuaimiException">The point is no point of the curve.</exception>
        public Sm2KeyExchangeResponder RespondToKeyExchange(Sm2 peer, ReadOnlySpan<byte> peerPoint, int keyLength) => Respond(peer, peerPoint, keyLength, default, default, areDefault: true);

        /// <summary>Answers a key exchange as its responder: send the point and the confirmation of the result to the initiator.</summary>
        /// <param name="peer">The initiator's public key; not null.</param>
        /// <param name="peerPoint">The initiator's point.</param>
        /// <param name="keyLength">The length of the shared key in bytes.</param>
        /// <param name="identity">The own identity, at most 8191 bytes.</param>
        /// <param name="peerIdentity">The initiator's identity, at most 8191 bytes.</param>
        /// <returns>The responder, which gives its key once.</returns>
        /// <exception cref="KuaimiException">The point is no point of the curve.</exception>
        public Sm2KeyExchangeResponder RespondToKeyExchange(
            Sm2 peer, ReadOnlySpan<byte> peerPoint, int keyLength, ReadOnlySpan<byte> identity, ReadOnlySpan<byte> peerIdentity) =>
            Respond(peer, peerPoint, keyLength, identity, peerIdentity, areDefault: false);

        private const int PointLength = 65;

        private Sm2KeyExchangeResponder Respond(
            Sm2 peer, ReadOnlySpan<byte> peerPoint, int keyLength, ReadOnlySpan<byte> identity, ReadOnlySpan<byte> peerIdentity, bool areDefault)
        {
            Arguments.Positive(keyLength, nameof(keyLength));
            var point = new byte[PointLength];
            var confirmation = new byte[DigestLength];
            byte empty;
            var none = areDefault ? null : &empty;
            fixed (byte* received = peerPoint)
            fixed (byte* own = identity)
            fixed (byte* other = peerIdentity)
            fixed (byte* output = point)
            fixed (byte* confirmationOutput = confirmation)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_exchange_respond(
                    Keys.Private, Arguments.NotNull(peer, nameof(peer)).Keys.Public,
                    own == null ? none : own, (UIntPtr)(uint)identity.Length, other == null ? none : other, (UIntPtr)(uint)peerIdentity.Length,
                    received, (UIntPtr)(uint)peerPoint.Length, (UIntPtr)(uint)keyLength, out var response, output, confirmationOutput));
                return new Sm2KeyExchangeResponder(response, point, confirmation, keyLength);
            }
        }
    }
}
