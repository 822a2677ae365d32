// The functions of kuaimi/sm2.h that this package calls: SM2. A test compares the declarations with the header.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal static unsafe class Sm2Native
    {
        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_private_key_generate(out Sm2PrivateKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_private_key_from_bytes(byte* bytes, UIntPtr len, out Sm2PrivateKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_private_key_read(byte* bytes, UIntPtr len, byte* password, UIntPtr passwordLen, out Sm2PrivateKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_private_key_write(Sm2PrivateKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_private_key_write_encrypted(Sm2PrivateKeyHandle key, byte* password, UIntPtr passwordLen, PasswordEncryption* encryption, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_private_key_public_key(Sm2PrivateKeyHandle key, out Sm2PublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm2_private_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_public_key_from_bytes(byte* bytes, UIntPtr len, out Sm2PublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_public_key_read(byte* bytes, UIntPtr len, out Sm2PublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_public_key_write(Sm2PublicKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_public_key_prepare(Sm2PublicKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm2_public_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_signature_convert(byte* signature, UIntPtr signatureLen, SignatureForm from, SignatureForm to, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_signing_key_new(Sm2PrivateKeyHandle key, byte* id, UIntPtr idLen, out Sm2SigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_sign(Sm2SigningKeyHandle key, byte* message, UIntPtr messageLen, SignatureForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_sign_digest(Sm2SigningKeyHandle key, byte* digest, SignatureForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_signing_key_hash(Sm2SigningKeyHandle key, out Sm3Handle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm2_signing_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_verifying_key_new(Sm2PublicKeyHandle key, byte* id, UIntPtr idLen, out Sm2VerifyingKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_verify(Sm2VerifyingKeyHandle key, byte* message, UIntPtr messageLen, byte* signature, UIntPtr signatureLen, SignatureForm form);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_verify_digest(Sm2VerifyingKeyHandle key, byte* digest, byte* signature, UIntPtr signatureLen, SignatureForm form);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_verifying_key_hash(Sm2VerifyingKeyHandle key, out Sm3Handle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm2_verifying_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_encrypt(Sm2PublicKeyHandle key, byte* message, UIntPtr messageLen, Sm2CiphertextFormat form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_decrypt(Sm2PrivateKeyHandle key, byte* ciphertext, UIntPtr ciphertextLen, Sm2CiphertextFormat form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_exchange_start(Sm2PrivateKeyHandle key, Sm2PublicKeyHandle peer, byte* id, UIntPtr idLen, byte* peerId, UIntPtr peerIdLen, out Sm2InitiatorHandle @out, byte* rA);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_exchange_respond(Sm2PrivateKeyHandle key, Sm2PublicKeyHandle peer, byte* id, UIntPtr idLen, byte* peerId, UIntPtr peerIdLen, byte* rA, UIntPtr rALen, UIntPtr sharedLen, out Sm2ResponseHandle @out, byte* rB, byte* sB);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_initiator_finish(Sm2InitiatorHandle initiator, byte* rB, UIntPtr rBLen, byte* sB, byte* shared, UIntPtr sharedLen, byte* sA);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_initiator_finish_unconfirmed(Sm2InitiatorHandle initiator, byte* rB, UIntPtr rBLen, byte* shared, UIntPtr sharedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm2_initiator_free(IntPtr initiator);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_response_confirm(Sm2ResponseHandle response, byte* sA, byte* shared, UIntPtr sharedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_response_key_unconfirmed(Sm2ResponseHandle response, byte* shared, UIntPtr sharedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm2_response_free(IntPtr response);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_explain_signature(Sm2PublicKeyHandle key, byte* id, UIntPtr idLen, byte* message, UIntPtr messageLen, byte* signature, UIntPtr signatureLen, SignatureForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_sign_batch(Sm2SignItemNative* items, UIntPtr count, byte* signatures, int* results);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm2_verify_batch(Sm2VerifyItemNative* items, UIntPtr count, int* results);
    }
}
