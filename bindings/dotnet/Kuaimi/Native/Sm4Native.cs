// The functions of kuaimi/sm4.h that this package calls: SM4. A test compares the declarations with the header.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal static unsafe class Sm4Native
    {
        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_new(byte* key, out Sm4Handle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ecb_encrypt(Sm4Handle cipher, byte* data, UIntPtr len, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ecb_decrypt(Sm4Handle cipher, byte* data, UIntPtr len, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm4_free(IntPtr cipher);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_gcm_new(byte* key, out Sm4GcmHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_gcm_seal(Sm4GcmHandle cipher, byte* nonce, UIntPtr nonceLen, byte* associatedData, UIntPtr associatedDataLen, byte* data, UIntPtr len, byte* @out, byte* tag);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_gcm_open(Sm4GcmHandle cipher, byte* nonce, UIntPtr nonceLen, byte* associatedData, UIntPtr associatedDataLen, byte* data, UIntPtr len, byte* tag, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm4_gcm_free(IntPtr cipher);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ccm_new(byte* key, out Sm4CcmHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ccm_seal(Sm4CcmHandle cipher, byte* nonce, UIntPtr nonceLen, byte* associatedData, UIntPtr associatedDataLen, byte* data, UIntPtr len, byte* @out, byte* tag, UIntPtr tagLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ccm_open(Sm4CcmHandle cipher, byte* nonce, UIntPtr nonceLen, byte* associatedData, UIntPtr associatedDataLen, byte* data, UIntPtr len, byte* tag, UIntPtr tagLen, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm4_ccm_free(IntPtr cipher);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_cbc_new(byte* key, out Sm4CbcHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_cbc_encrypt(Sm4CbcHandle cipher, byte* iv, byte* data, UIntPtr len, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_cbc_decrypt(Sm4CbcHandle cipher, byte* iv, byte* data, UIntPtr len, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_cbc_encrypt_padded(Sm4CbcHandle cipher, byte* iv, byte* message, UIntPtr messageLen, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_cbc_decrypt_padded(Sm4CbcHandle cipher, byte* iv, byte* ciphertext, UIntPtr ciphertextLen, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm4_cbc_free(IntPtr cipher);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ctr_new(byte* key, byte* iv, out Sm4CtrHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm4_ctr_apply(Sm4CtrHandle stream, byte* data, UIntPtr len, byte* @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm4_ctr_free(IntPtr stream);
    }
}
