// A handle of the C library each, freed once, also where nobody disposes of it, and never while a call uses it.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal abstract class NativeHandle : SafeHandle
    {
        private protected NativeHandle()
            : base(IntPtr.Zero, ownsHandle: true)
        {
        }

        public sealed override bool IsInvalid => handle == IntPtr.Zero;

        protected abstract void Free();

        protected sealed override bool ReleaseHandle()
        {
            Free();
            return true;
        }
    }

    internal sealed class Sm3Handle : NativeHandle
    {
        protected override void Free() => Sm3Native.kuaimi_sm3_free(handle);
    }

    internal sealed class HmacSm3Handle : NativeHandle
    {
        protected override void Free() => Sm3Native.kuaimi_hmac_sm3_free(handle);
    }

    internal sealed class Sm4Handle : NativeHandle
    {
        protected override void Free() => Sm4Native.kuaimi_sm4_free(handle);
    }

    internal sealed class Sm4GcmHandle : NativeHandle
    {
        protected override void Free() => Sm4Native.kuaimi_sm4_gcm_free(handle);
    }

    internal sealed class Sm4CcmHandle : NativeHandle
    {
        protected override void Free() => Sm4Native.kuaimi_sm4_ccm_free(handle);
    }

    internal sealed class Sm4CbcHandle : NativeHandle
    {
        protected override void Free() => Sm4Native.kuaimi_sm4_cbc_free(handle);
    }

    internal sealed class Sm4CtrHandle : NativeHandle
    {
        protected override void Free() => Sm4Native.kuaimi_sm4_ctr_free(handle);
    }

    internal sealed class Sm2PrivateKeyHandle : NativeHandle
    {
        protected override void Free() => Sm2Native.kuaimi_sm2_private_key_free(handle);
    }

    internal sealed class Sm2PublicKeyHandle : NativeHandle
    {
        protected override void Free() => Sm2Native.kuaimi_sm2_public_key_free(handle);
    }

    internal sealed class Sm2SigningKeyHandle : NativeHandle
    {
        protected override void Free() => Sm2Native.kuaimi_sm2_signing_key_free(handle);
    }

    internal sealed class Sm2VerifyingKeyHandle : NativeHandle
    {
        protected override void Free() => Sm2Native.kuaimi_sm2_verifying_key_free(handle);
    }

    internal sealed class Sm2InitiatorHandle : NativeHandle
    {
        protected override void Free() => Sm2Native.kuaimi_sm2_initiator_free(handle);
    }

    internal sealed class Sm2ResponseHandle : NativeHandle
    {
        protected override void Free() => Sm2Native.kuaimi_sm2_response_free(handle);
    }

    internal sealed class Sm9MasterSigningKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_master_signing_key_free(handle);
    }

    internal sealed class Sm9MasterSigningPublicKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_master_signing_public_key_free(handle);
    }

    internal sealed class Sm9SigningKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_signing_key_free(handle);
    }

    internal sealed class Sm9VerifyingKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_verifying_key_free(handle);
    }

    internal sealed class Sm9MasterEncryptionKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_master_encryption_key_free(handle);
    }

    internal sealed class Sm9MasterEncryptionPublicKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_master_encryption_public_key_free(handle);
    }

    internal sealed class Sm9EncryptionKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_encryption_key_free(handle);
    }

    internal sealed class Sm9DecryptionKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_decryption_key_free(handle);
    }

    internal sealed class Sm9ExchangeKeyHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_exchange_key_free(handle);
    }

    internal sealed class Sm9InitiatorHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_initiator_free(handle);
    }

    internal sealed class Sm9ResponseHandle : NativeHandle
    {
        protected override void Free() => Sm9Native.kuaimi_sm9_response_free(handle);
    }
}
