// The functions of kuaimi/base.h that this package calls: what the whole library shares. A test compares the declarations with the header.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal static unsafe class LibraryNative
    {
        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr kuaimi_error_message(uint error);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr kuaimi_version();

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr kuaimi_backend();
    }
}
