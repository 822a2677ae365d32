// The functions of kuaimi/sm9.h that this package calls: SM9. A test compares the declarations with the header.

using System;
using System.Runtime.InteropServices;

namespace Kuaimi.Native
{
    internal static unsafe class Sm9Native
    {
        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_generate(out Sm9MasterSigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_from_bytes(byte* bytes, UIntPtr len, out Sm9MasterSigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_read(byte* bytes, UIntPtr len, byte* password, UIntPtr passwordLen, out Sm9MasterSigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_write(Sm9MasterSigningKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_write_encrypted(Sm9MasterSigningKeyHandle key, byte* password, UIntPtr passwordLen, PasswordEncryption* encryption, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_public_key(Sm9MasterSigningKeyHandle key, out Sm9MasterSigningPublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_key_extract(Sm9MasterSigningKeyHandle master, byte* id, UIntPtr idLen, byte hid, out Sm9SigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_master_signing_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_public_key_from_bytes(byte* bytes, UIntPtr len, out Sm9MasterSigningPublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_public_key_read(byte* bytes, UIntPtr len, out Sm9MasterSigningPublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_public_key_write(Sm9MasterSigningPublicKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_signing_public_key_prepare(Sm9MasterSigningPublicKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_master_signing_public_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_signing_key_from_bytes(Sm9MasterSigningPublicKeyHandle master, byte* bytes, UIntPtr len, byte* id, UIntPtr idLen, byte hid, out Sm9SigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_signing_key_read(byte* bytes, UIntPtr len, byte* password, UIntPtr passwordLen, byte* id, UIntPtr idLen, byte hid, out Sm9SigningKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_signing_key_write(Sm9SigningKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_signing_key_write_encrypted(Sm9SigningKeyHandle key, byte* password, UIntPtr passwordLen, PasswordEncryption* encryption, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_signing_key_prepare(Sm9SigningKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_signing_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_verifying_key_new(Sm9MasterSigningPublicKeyHandle master, byte* id, UIntPtr idLen, byte hid, out Sm9VerifyingKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_verifying_key_prepare(Sm9VerifyingKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_verifying_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_sign(Sm9SigningKeyHandle key, byte* message, UIntPtr messageLen, SignatureForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_verify(Sm9VerifyingKeyHandle key, byte* message, UIntPtr messageLen, byte* signature, UIntPtr signatureLen, SignatureForm form);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_generate(out Sm9MasterEncryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_from_bytes(byte* bytes, UIntPtr len, out Sm9MasterEncryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_read(byte* bytes, UIntPtr len, byte* password, UIntPtr passwordLen, out Sm9MasterEncryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_write(Sm9MasterEncryptionKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_write_encrypted(Sm9MasterEncryptionKeyHandle key, byte* password, UIntPtr passwordLen, PasswordEncryption* encryption, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_public_key(Sm9MasterEncryptionKeyHandle key, out Sm9MasterEncryptionPublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_extract(Sm9MasterEncryptionKeyHandle master, byte* id, UIntPtr idLen, byte hid, out Sm9DecryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_master_encryption_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_public_key_from_bytes(byte* bytes, UIntPtr len, out Sm9MasterEncryptionPublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_public_key_read(byte* bytes, UIntPtr len, out Sm9MasterEncryptionPublicKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_public_key_write(Sm9MasterEncryptionPublicKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_public_key_prepare(Sm9MasterEncryptionPublicKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_master_encryption_public_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_master_encryption_key_extract_exchange(Sm9MasterEncryptionKeyHandle master, byte* id, UIntPtr idLen, byte hid, out Sm9ExchangeKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_encryption_key_new(Sm9MasterEncryptionPublicKeyHandle master, byte* id, UIntPtr idLen, byte hid, out Sm9EncryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_encryption_key_prepare(Sm9EncryptionKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_encryption_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decryption_key_from_bytes(Sm9MasterEncryptionPublicKeyHandle master, byte* bytes, UIntPtr len, byte* id, UIntPtr idLen, byte hid, out Sm9DecryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decryption_key_read(byte* bytes, UIntPtr len, byte* password, UIntPtr passwordLen, byte* id, UIntPtr idLen, byte hid, out Sm9DecryptionKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decryption_key_write(Sm9DecryptionKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decryption_key_write_encrypted(Sm9DecryptionKeyHandle key, byte* password, UIntPtr passwordLen, PasswordEncryption* encryption, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decryption_key_prepare(Sm9DecryptionKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_decryption_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_encrypt(Sm9EncryptionKeyHandle key, byte* message, UIntPtr messageLen, Sm9OptionsNative* options, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decrypt(Sm9DecryptionKeyHandle key, byte* ciphertext, UIntPtr ciphertextLen, Sm9OptionsNative* options, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_encapsulate(Sm9EncryptionKeyHandle key, byte* derived, UIntPtr derivedLen, byte* c);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_decapsulate(Sm9DecryptionKeyHandle key, byte* c, UIntPtr cLen, byte* derived, UIntPtr derivedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_key_from_bytes(Sm9MasterEncryptionPublicKeyHandle master, byte* bytes, UIntPtr len, byte* id, UIntPtr idLen, byte hid, out Sm9ExchangeKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_key_read(byte* bytes, UIntPtr len, byte* password, UIntPtr passwordLen, byte* id, UIntPtr idLen, byte hid, out Sm9ExchangeKeyHandle @out);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_key_write(Sm9ExchangeKeyHandle key, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_key_write_encrypted(Sm9ExchangeKeyHandle key, byte* password, UIntPtr passwordLen, PasswordEncryption* encryption, KeyForm form, byte* @out, UIntPtr* outLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_key_prepare(Sm9ExchangeKeyHandle key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_exchange_key_free(IntPtr key);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_start(Sm9ExchangeKeyHandle key, byte* peerId, UIntPtr peerIdLen, byte peerHid, out Sm9InitiatorHandle @out, byte* rA);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_exchange_respond(Sm9ExchangeKeyHandle key, byte* peerId, UIntPtr peerIdLen, byte peerHid, byte* rA, UIntPtr rALen, UIntPtr sharedLen, out Sm9ResponseHandle @out, byte* rB, byte* sB);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_initiator_finish(Sm9InitiatorHandle initiator, byte* rB, UIntPtr rBLen, byte* sB, byte* shared, UIntPtr sharedLen, byte* sA);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_initiator_finish_unconfirmed(Sm9InitiatorHandle initiator, byte* rB, UIntPtr rBLen, byte* shared, UIntPtr sharedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_initiator_free(IntPtr initiator);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_response_confirm(Sm9ResponseHandle response, byte* sA, byte* shared, UIntPtr sharedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int kuaimi_sm9_response_key_unconfirmed(Sm9ResponseHandle response, byte* shared, UIntPtr sharedLen);

        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void kuaimi_sm9_response_free(IntPtr response);
    }
}
