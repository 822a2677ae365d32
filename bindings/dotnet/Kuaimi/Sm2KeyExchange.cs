using System;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>The initiator of a key exchange of SM2, waiting for the responder's point. It finishes once.</summary>
    public sealed unsafe class Sm2KeyExchangeInitiator : IDisposable
    {
        private readonly Sm2InitiatorHandle _initiator;
        private readonly byte[] _point;

        internal Sm2KeyExchangeInitiator(Sm2InitiatorHandle initiator, byte[] point)
        {
            _initiator = initiator;
            _point = point;
        }

        /// <summary>The point for the responder, 65 bytes.</summary>
        public ReadOnlySpan<byte> Point => _point;

        /// <summary>Checks the responder's confirmation and gives the shared key.</summary>
        /// <param name="peerPoint">The responder's point.</param>
        /// <param name="peerConfirmation">The responder's confirmation, 32 bytes.</param>
        /// <param name="keyLength">The length of the shared key in bytes.</param>
        /// <param name="confirmation">The confirmation for the responder, 32 bytes.</param>
        /// <returns>The shared key. Wipe it after use.</returns>
        /// <exception cref="KuaimiException">The responder does not hold the same key, or its point is none.</exception>
        /// <exception cref="InvalidOperationException">It has finished already.</exception>
        public byte[] Finish(ReadOnlySpan<byte> peerPoint, ReadOnlySpan<byte> peerConfirmation, int keyLength, out byte[] confirmation)
        {
            Arguments.Length(peerConfirmation.Length, 32, nameof(peerConfirmation));
            Arguments.Positive(keyLength, nameof(keyLength));
            var key = new byte[keyLength];
            confirmation = new byte[32];
            fixed (byte* point = peerPoint)
            fixed (byte* received = peerConfirmation)
            fixed (byte* shared = key)
            fixed (byte* output = confirmation)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_initiator_finish(_initiator, point, (UIntPtr)(uint)peerPoint.Length, received, shared, (UIntPtr)(uint)keyLength, output));
            }
            return key;
        }

        /// <summary>Gives the shared key without confirmations: a wrong peer shows only when the keys do not fit.</summary>
        /// <param name="peerPoint">The responder's point.</param>
        /// <param name="keyLength">The length of the shared key in bytes.</param>
        /// <returns>The shared key. Wipe it after use.</returns>
        public byte[] FinishUnconfirmed(ReadOnlySpan<byte> peerPoint, int keyLength)
        {
            Arguments.Positive(keyLength, nameof(keyLength));
            var key = new byte[keyLength];
            fixed (byte* point = peerPoint)
            fixed (byte* shared = key)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_initiator_finish_unconfirmed(_initiator, point, (UIntPtr)(uint)peerPoint.Length, shared, (UIntPtr)(uint)keyLength));
            }
            return key;
        }

        /// <summary>Wipes and frees the initiator.</summary>
        public void Dispose() => _initiator.Dispose();
    }

    /// <summary>The responder of a key exchange of SM2, waiting for the initiator's confirmation. It gives its key once.</summary>
    public sealed unsafe class Sm2KeyExchangeResponder : IDisposable
    {
        private readonly Sm2ResponseHandle _response;
        private readonly byte[] _point;
        private readonly byte[] _confirmation;
        private readonly int _keyLength;

        internal Sm2KeyExchangeResponder(Sm2ResponseHandle response, byte[] point, byte[] confirmation, int keyLength)
        {
            _response = response;
            _point = point;
            _confirmation = confirmation;
            _keyLength = keyLength;
        }

        /// <summary>The point for the initiator, 65 bytes.</summary>
        public ReadOnlySpan<byte> Point => _point;

        /// <summary>The confirmation for the initiator, 32 bytes.</summary>
        public ReadOnlySpan<byte> Confirmation => _confirmation;

        /// <summary>Checks the initiator's confirmation and gives the shared key.</summary>
        /// <param name="peerConfirmation">The initiator's confirmation, 32 bytes.</param>
        /// <returns>The shared key. Wipe it after use.</returns>
        /// <exception cref="KuaimiException">The initiator does not hold the same key.</exception>
        /// <exception cref="InvalidOperationException">It has given its key already.</exception>
        public byte[] Confirm(ReadOnlySpan<byte> peerConfirmation)
        {
            Arguments.Length(peerConfirmation.Length, 32, nameof(peerConfirmation));
            var key = new byte[_keyLength];
            fixed (byte* received = peerConfirmation)
            fixed (byte* shared = key)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_response_confirm(_response, received, shared, (UIntPtr)(uint)key.Length));
            }
            return key;
        }

        /// <summary>Gives the shared key without a confirmation: a wrong peer shows only when the keys do not fit.</summary>
        /// <returns>The shared key. Wipe it after use.</returns>
        public byte[] KeyUnconfirmed()
        {
            var key = new byte[_keyLength];
            fixed (byte* shared = key)
            {
                Failure.Check(Sm2Native.kuaimi_sm2_response_key_unconfirmed(_response, shared, (UIntPtr)(uint)key.Length));
            }
            return key;
        }

        /// <summary>Wipes and frees the responder.</summary>
        public void Dispose() => _response.Dispose();
    }
}
