package io.github.kuaimi.internal;

import io.github.kuaimi.cms.GmMessageException;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;

/**
 * The functions of the native library, which registers them when it is loaded. They check all arguments, and keep no reference to
 * any. Numbers are 32 bytes, most significant first; points are x and y, 64 bytes.
 */
public final class Native {
    private Native() {}

    static native byte[] version();

    public static native byte[] backend();

    /** Panics in native code, for the test of what becomes of it. */
    static native void panic();

    public static native void forgetAll();

    /** How many keys that sign are remembered now, for tests. */
    static native int sm2SigningKeys();

    /** How many public keys have a table now, for tests. */
    static native int sm2Tables();

    // SM2. A private key that is returned is followed by its public key.

    public static native byte[] sm2Generate();

    public static native byte[] sm2PublicKey(byte[] d) throws InvalidKeyException;

    public static native byte[] sm2Point(byte[] sec1) throws InvalidKeyException;

    /** DER, or any other form that says which curve the key is on. */
    public static native byte[] sm2FromPkcs8(byte[] der) throws InvalidKeyException;

    /** DER, or any other form. */
    public static native byte[] sm2FromSpki(byte[] der) throws InvalidKeyException;

    /** Whether these are SM2's curve in DER: its identifier, or all its numbers. */
    static native boolean sm2IsCurve(byte[] parameters);

    public static native byte[] sm2ReadPrivate(byte[] bytes, byte[] password) throws InvalidKeyException;

    public static native byte[] sm2ReadPublic(byte[] bytes) throws InvalidKeyException;

    public static native byte[] sm2ToPkcs8(byte[] d) throws InvalidKeyException;

    public static native byte[] sm2ToSpki(byte[] point) throws InvalidKeyException;

    public static native byte[] sm2IdentityDigest(byte[] point, byte[] identity) throws InvalidKeyException;

    public static native byte[] sm2Sign(byte[] d, byte[] digest, boolean raw) throws InvalidKeyException;

    public static native boolean sm2Verify(
            byte[] point, byte[] digest, byte[] signature, int offset, int length, boolean raw)
            throws InvalidKeyException, SignatureException;

    /** In UTF-8; null if nothing is found. */
    public static native byte[] sm2Explain(byte[] point, byte[] identity, byte[] message, byte[] signature)
            throws InvalidKeyException, SignatureException;

    public static native byte[] sm2Encrypt(byte[] point, byte[] message, int offset, int length, int form)
            throws InvalidKeyException;

    public static native byte[] sm2Decrypt(byte[] d, byte[] ciphertext, int offset, int length, int form)
            throws InvalidKeyException, BadPaddingException;

    public static native byte[] sm2Agree(
            boolean initiates,
            byte[] d,
            byte[] identity,
            byte[] peer,
            byte[] peerIdentity,
            byte[] ephemeral,
            byte[] peerEphemeral,
            int length)
            throws InvalidKeyException;

    public static native void sm2Forget(byte[] d);

    /** With {@code ends} null, the contents are digests. */
    public static native void sm2VerifyBatch(
            ByteBuffer points,
            ByteBuffer contents,
            int[] ends,
            byte[] identity,
            ByteBuffer signatures,
            ByteBuffer verdicts,
            int rows);

    public static native void sm2SignBatch(
            byte[] d, ByteBuffer contents, int[] ends, byte[] identity, ByteBuffer signatures, int rows)
            throws InvalidKeyException;

    /** Of private keys of 32 bytes and points of 64 bytes, one behind the other: 32 bytes for each pair. */
    public static native byte[] sm2DiffieHellmanBatch(byte[] keys, byte[] points) throws InvalidKeyException;

    // SM3

    /** Whole blocks of 64 bytes into the state, the first 32 bytes of {@code work}. */
    public static native void sm3Compress(byte[] work, byte[] data, int offset, int length);

    /** The same with the {@code length} bytes that are behind the state in {@code work}. */
    public static native void sm3CompressBuffer(byte[] work, int length);

    public static native byte[] sm3Pbkdf2(byte[] password, byte[] salt, int iterations, int length);

    // SM4, in place

    public static native void sm4Ecb(byte[] key, boolean encrypt, byte[] data, int offset, int length);

    public static native void sm4Cbc(byte[] key, byte[] iv, boolean encrypt, byte[] data, int offset, int length);

    public static native void sm4Stream(byte[] key, int mode, byte[] position, byte[] data, int offset, int length);

    public static native void sm4Seal(
            byte[] key, boolean ccm, byte[] nonce, byte[] header, int tagLength, byte[] data, int offset, int length);

    public static native void sm4Open(
            byte[] key, boolean ccm, byte[] nonce, byte[] header, int tagLength, byte[] data, int offset, int length)
            throws AEADBadTagException;

    /** With {@code nonceEnds} null, nonces have 12 bytes; with {@code headerEnds} null, there are no headers. */
    public static native void sm4SealBatch(
            ByteBuffer keys,
            ByteBuffer nonces,
            int[] nonceEnds,
            ByteBuffer headers,
            int[] headerEnds,
            ByteBuffer messages,
            int[] ends,
            ByteBuffer sealed,
            int rows);

    /** {@code ends} says where each message ends; each of {@code sealed} has a tag of 16 bytes behind it. */
    public static native void sm4OpenBatch(
            ByteBuffer keys,
            ByteBuffer nonces,
            int[] nonceEnds,
            ByteBuffer headers,
            int[] headerEnds,
            ByteBuffer sealed,
            int[] ends,
            ByteBuffer messages,
            ByteBuffer verdicts,
            int rows);

    // SM9

    public static native byte[] sm9GenerateSigningMaster();

    public static native byte[] sm9SigningMasterPublicKey(byte[] master) throws InvalidKeyException;

    public static native void sm9CheckSigningMasterPublicKey(byte[] master) throws InvalidKeyException;

    public static native byte[] sm9ExtractSigning(byte[] master, byte[] identity) throws InvalidKeyException;

    public static native void sm9CheckSigning(byte[] key, byte[] master, byte[] identity) throws InvalidKeyException;

    public static native byte[] sm9Sign(byte[] key, byte[] master, byte[] identity, byte[] message)
            throws InvalidKeyException;

    public static native boolean sm9Verify(byte[] master, byte[] identity, byte[] message, byte[] signature)
            throws InvalidKeyException;

    public static native byte[] sm9GenerateEncryptionMaster();

    public static native byte[] sm9EncryptionMasterPublicKey(byte[] master) throws InvalidKeyException;

    public static native void sm9CheckEncryptionMasterPublicKey(byte[] master) throws InvalidKeyException;

    public static native byte[] sm9ExtractDecryption(byte[] master, byte[] identity) throws InvalidKeyException;

    public static native void sm9CheckDecryption(byte[] key, byte[] master, byte[] identity)
            throws InvalidKeyException;

    public static native byte[] sm9Encrypt(byte[] master, byte[] identity, byte[] message) throws InvalidKeyException;

    public static native byte[] sm9Decrypt(byte[] key, byte[] master, byte[] identity, byte[] ciphertext)
            throws InvalidKeyException, BadPaddingException;

    public static native byte[] sm9Encapsulate(byte[] master, byte[] identity, int length) throws InvalidKeyException;

    public static native byte[] sm9Decapsulate(byte[] key, byte[] master, byte[] identity, byte[] point, int length)
            throws InvalidKeyException, BadPaddingException;

    public static native void sm9Forget(byte[] key, byte[] master, byte[] identity);

    // Messages. Certificates are a list of Frames in DER, and numbers of keys stand one after another.

    /** A time below zero is none. */
    public static native byte[] cmsSign(
            byte[] content, byte[] certificates, byte[] keys, byte[] others, int settings, long signingTime)
            throws InvalidKeyException;

    /** With a content, the message does not have it inside. */
    public static native byte[] cmsVerify(byte[] message, byte[] content, byte[] known, boolean empty)
            throws SignatureException, GmMessageException, InvalidKeyException;

    public static native byte[] cmsEncrypt(byte[] content, byte[] recipients, int settings, int cipher)
            throws InvalidKeyException;

    public static native byte[] cmsSignAndEncrypt(
            byte[] content,
            byte[] certificates,
            byte[] keys,
            byte[] others,
            byte[] recipients,
            int settings,
            int cipher)
            throws InvalidKeyException;

    /** The certificate may be null. */
    public static native byte[] cmsDecrypt(byte[] message, byte[] key, byte[] certificate, byte[] known, boolean empty)
            throws BadPaddingException, GmMessageException, InvalidKeyException;

    public static native byte[] cmsEncryptUnder(byte[] content, byte[] key, int settings, int cipher);

    public static native byte[] cmsDecryptUnder(byte[] message, byte[] key)
            throws BadPaddingException, GmMessageException;

    public static native byte[] cmsKind(byte[] message) throws GmMessageException;

    // CFCA. A private key that is returned is followed by its public key.

    public static native byte[] cfcaOpen(byte[] file, byte[] password) throws InvalidKeyException;

    public static native byte[] cfcaWrite(byte[] d, byte[] certificate, byte[] password) throws InvalidKeyException;

    public static native byte[] cfcaRequest(byte[] subject, byte[] d, byte[] temporary, byte[] challengePassword)
            throws InvalidKeyException;

    /** Empty, if there is none. */
    public static native byte[] cfcaTemporaryKey(byte[] request) throws InvalidKeyException;

    public static native byte[] cfcaReturnKey(byte[] d, byte[] temporary) throws InvalidKeyException;

    public static native byte[] cfcaOpenReturnedKey(byte[] temporary, byte[] returned)
            throws BadPaddingException, InvalidKeyException;
}
