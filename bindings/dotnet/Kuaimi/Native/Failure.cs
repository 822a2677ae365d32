// From the C library's errors to .NET's exceptions.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal static class Failure
    {
        internal const int Ok = 0;
        internal const int InvalidSignature = 1;
        private const int NullPointer = 10;
        private const int InvalidHandle = 11;
        internal const int BufferTooSmall = 12;
        private const int AlreadyUsed = 14;
        private const int Internal = 17;

        /// Throws unless the error is success.
        internal static void Check(int error)
        {
            if (error != Ok)
            {
                throw Of(error);
            }
        }

        /// Whether a signature is right; throws if something else is wrong.
        internal static bool Verdict(int error)
        {
            if (error == InvalidSignature)
            {
                return false;
            }
            Check(error);
            return true;
        }

        internal static Exception Of(int error)
        {
            var message = Message(error);
            switch (error)
            {
                case InvalidHandle:
                case AlreadyUsed:
                    return new InvalidOperationException(message);
                case NullPointer:
                case BufferTooSmall:
                    return new KuaimiException((KuaimiErrorKind)Internal, message);
                default:
                    return IsArgument((KuaimiErrorKind)error) ? (Exception)new ArgumentException(message) : Of((KuaimiErrorKind)error);
            }
        }

        internal static KuaimiException Of(KuaimiErrorKind kind) => new KuaimiException(kind, Message((int)kind));

        /// What the caller chose, and not what came from somewhere.
        internal static bool IsArgument(KuaimiErrorKind kind)
        {
            switch (kind)
            {
                case KuaimiErrorKind.IdentityTooLong:
                case KuaimiErrorKind.EmptyIdentity:
                case KuaimiErrorKind.EmptyMessage:
                case KuaimiErrorKind.MessageTooLong:
                case KuaimiErrorKind.DerivedKeyLength:
                case KuaimiErrorKind.RecoveryId:
                case KuaimiErrorKind.EqualHalves:
                case KuaimiErrorKind.EmptyNonce:
                case KuaimiErrorKind.PartialBlock:
                case KuaimiErrorKind.DataTooShort:
                case KuaimiErrorKind.NonceLength:
                case KuaimiErrorKind.TagLength:
                case KuaimiErrorKind.AssociatedDataLate:
                case KuaimiErrorKind.InvalidArgument:
                case KuaimiErrorKind.UnknownBackend:
                    return true;
                default:
                    return false;
            }
        }

        private static string Message(int error) => Marshal.PtrToStringAnsi(LibraryNative.kuaimi_error_message((uint)error)) ?? string.Empty;
    }
}
