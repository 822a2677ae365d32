using System.Runtime.InteropServices;
using Kuaimi.Native;

namespace Kuaimi
{
    /// <summary>The C library that does the work.</summary>
    public static class KuaimiLibrary
    {
        /// <summary>The version of the C library, such as <c>0.1.0</c>.</summary>
        public static string Version => Marshal.PtrToStringAnsi(LibraryNative.kuaimi_version()) ?? string.Empty;

        /// <summary>
        /// The implementation that this process computes with. The library takes the fastest that the CPU can run; the environment variable
        /// <c>KUAIMI_BACKEND</c> selects another.
        /// </summary>
        public static string Backend => Marshal.PtrToStringAnsi(LibraryNative.kuaimi_backend()) ?? string.Empty;
    }
}
