// The functions of kuaimi/sm3.h that this package calls: SM3 and HMAC. A test compares the declarations with the header.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal static unsafe class Sm3Native
    {
        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm3_digest(byte* data, UIntPtr len, byte* digest);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm3_new(out Sm3Handle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm3_update(Sm3Handle hash, byte* data, UIntPtr len);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm3_finish(Sm3Handle hash, byte* digest);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm3_reset(Sm3Handle hash);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm3_free(IntPtr hash);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm3_kdf(byte* z, UIntPtr zLen, byte* @out, UIntPtr outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_hmac_sm3_new(byte* key, UIntPtr keyLen, out HmacSm3Handle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_hmac_sm3_update(HmacSm3Handle hmac, byte* data, UIntPtr len);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_hmac_sm3_finish(HmacSm3Handle hmac, byte* mac);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_hmac_sm3_verify(HmacSm3Handle hmac, byte* mac);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_hmac_sm3_free(IntPtr hmac);
    }
}
