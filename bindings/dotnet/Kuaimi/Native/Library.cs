// The shared library, and its structures and numbers as the headers have them.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

// They compare the declarations and the errors with the headers and the documents.
[assembly: InternalsVisibleTo("Kuaimi.Tests")]

namespace Kuaimi.Native
{
    internal static class Library
    {
        /// libkuaimi.so, libkuaimi.dylib, kuaimi.dll: .NET adds what the system's names have.
        internal const string Name = "kuaimi";
    }

    internal enum KeyForm
    {
        Raw = 1,
        Pkcs8Pem = 2,
        Pkcs8Der = 3,
        Sec1Pem = 4,
        Sec1Der = 5,
        SpkiPem = 6,
        SpkiDer = 7,
        Uncompressed = 8,
        Compressed = 9,
        Der = 10,
        GmsslPem = 11,
    }

    internal enum SignatureForm
    {
        Raw = 1,
        Der = 2,
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct PasswordEncryption
    {
        internal int Cipher;
        internal int Kdf;
        internal uint Iterations;
        internal uint ScryptLogN;
        internal uint ScryptR;
        internal uint ScryptP;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct Bytes
    {
        internal byte* Data;
        internal UIntPtr Length;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Sm2VerifyItemNative
    {
        internal IntPtr Key;
        internal Bytes Content;
        internal Bytes Signature;
        internal int ContentKind;
        internal SignatureForm Form;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Sm2SignItemNative
    {
        internal IntPtr Key;
        internal Bytes Content;
        internal int ContentKind;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Sm9OptionsNative
    {
        internal int Mode;
        internal int Mac;
        internal int Form;
    }
}
