package io.github.kuaimi.internal;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * SM4 in GCM and CCM (NIST SP 800-38D and 38C). A message is collected, and given out as a whole by {@code doFinal}: no plaintext
 * leaves before its tag was compared.
 */
final class Sm4Aead extends Sm4Spi {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final boolean ccm;
    private final Bytes header = new Bytes();
    private final Bytes message = new Bytes();
    private byte[] key;
    private boolean encrypts;
    private byte[] nonce;
    private int tag;
    /** With what the last {@code init} to encrypt was called: whatever comes since, these two do not serve again. */
    private byte[] sealingKey;
    private byte[] sealingNonce;
    /** Whether the message has begun, after which no associated data comes. */
    private boolean begun;
    /** Whether the encryption of a message began with this nonce: then another is needed. */
    private boolean used;

    Sm4Aead(boolean ccm) {
        super(GCMParameterSpec.class);
        this.ccm = ccm;
    }

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException("this is SM4/" + name() + ", not " + mode);
    }

    private String name() {
        return ccm ? "CCM" : "GCM";
    }

    @Override
    protected void engineSetPadding(String name) throws NoSuchPaddingException {
        if (!name.equalsIgnoreCase("NoPadding")) {
            throw new NoSuchPaddingException(name() + " needs no padding: NoPadding, not " + name);
        }
    }

    @Override
    protected void engineInit(int operation, Key newKey, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        boolean willEncrypt = encrypts(operation);
        byte[] newNonce;
        int bits = TAG_BITS;
        if (params instanceof GCMParameterSpec) {
            newNonce = ((GCMParameterSpec) params).getIV();
            bits = ((GCMParameterSpec) params).getTLen();
        } else if (params instanceof IvParameterSpec) {
            newNonce = ((IvParameterSpec) params).getIV();
        } else if (params != null) {
            throw new InvalidAlgorithmParameterException("a GCMParameterSpec is needed: the tag's bits, and the nonce");
        } else if (willEncrypt) {
            newNonce = random(random, NONCE);
        } else {
            throw new InvalidAlgorithmParameterException("to decrypt, the nonce is needed: a GCMParameterSpec");
        }
        check(newNonce.length, bits);
        byte[] bytes = SecretKeys.sm4(newKey);
        if (willEncrypt && MessageDigest.isEqual(sealingKey, bytes) && Arrays.equals(sealingNonce, newNonce)) {
            Wipe.wipe(bytes);
            throw new InvalidAlgorithmParameterException(
                    "this key and this nonce were used: two messages under one nonce give both away");
        }
        if (key != sealingKey) {
            Wipe.wipe(key);
        }
        if (willEncrypt) {
            Wipe.wipe(sealingKey);
            sealingKey = bytes;
            sealingNonce = newNonce;
        }
        key = bytes;
        encrypts = willEncrypt;
        nonce = newNonce;
        tag = bits / 8;
        used = false;
        clear();
    }

    private void check(int length, int bits) throws InvalidAlgorithmParameterException {
        if (ccm ? length < 7 || length > 13 : length == 0) {
            throw new InvalidAlgorithmParameterException(
                    ccm ? "a nonce of CCM has 7 to 13 bytes, not " + length : "the nonce is empty");
        }
        if (ccm ? bits % 16 != 0 || bits < 32 || bits > 128 : bits != TAG_BITS) {
            throw new InvalidAlgorithmParameterException(
                    "a tag has 128 bits (in CCM also 32, 48, 64, 80, 96 or 112), not " + bits);
        }
    }

    private void clear() {
        header.clear();
        message.clear();
        begun = false;
    }

    private void notUsed() {
        if (used) {
            throw new IllegalStateException("another nonce is needed for another message: init comes first");
        }
    }

    @Override
    protected byte[] engineGetIV() {
        return nonce == null ? null : nonce.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (nonce == null) {
            return null;
        }
        try {
            AlgorithmParameters parameters = Parameters.of("SM4/" + name(), new Sm4AeadParameters());
            parameters.init(new GCMParameterSpec(8 * tag, nonce));
            return parameters;
        } catch (InvalidParameterSpecException reason) {
            throw new ProviderException(reason.getMessage(), reason);
        }
    }

    @Override
    protected int engineGetOutputSize(int length) {
        int total = Math.addExact(message.length(), length);
        return encrypts ? Math.addExact(total, tag) : Math.max(0, total - tag);
    }

    @Override
    protected void engineUpdateAAD(byte[] input, int offset, int length) {
        notUsed();
        if (begun) {
            throw new IllegalStateException("all associated data comes before the message");
        }
        header.add(input, offset, length);
    }

    @Override
    protected void engineUpdateAAD(java.nio.ByteBuffer input) {
        byte[] bytes = new byte[input.remaining()];
        input.get(bytes);
        engineUpdateAAD(bytes, 0, bytes.length);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        notUsed();
        begun = true;
        message.add(input, offset, length);
        return null;
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset) {
        engineUpdate(input, offset, length);
        return 0;
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
            throws IllegalBlockSizeException, AEADBadTagException {
        byte[] output = new byte[engineGetOutputSize(length)];
        finish(input, offset, length, output, 0);
        return output;
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, AEADBadTagException {
        int needed = engineGetOutputSize(length);
        if (output.length - outputOffset < needed) {
            throw new ShortBufferException("room for " + needed + " bytes is needed");
        }
        finish(input, offset, length, output, outputOffset);
        return needed;
    }

    private void finish(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws IllegalBlockSizeException, AEADBadTagException {
        notUsed();
        try {
            int total = Math.addExact(message.length(), length);
            checkLength(total);
            if (encrypts) {
                // Whatever becomes of it, key stream may have left.
                used = true;
                gather(input, offset, length, output, outputOffset);
                Native.sm4Seal(key, ccm, nonce, header.copy(), tag, output, outputOffset, total + tag);
            } else {
                byte[] whole = new byte[total];
                gather(input, offset, length, whole, 0);
                Native.sm4Open(key, ccm, nonce, header.copy(), tag, whole, 0, total);
                System.arraycopy(whole, 0, output, outputOffset, total - tag);
                Wipe.wipe(whole);
            }
        } finally {
            clear();
        }
    }

    /** In CCM, the shorter the nonce, the longer a message may be. It is checked before the output, where the input may be, is written. */
    private void checkLength(int total) throws IllegalBlockSizeException {
        int bits = 8 * (15 - nonce.length);
        if (ccm && encrypts && bits < Integer.SIZE && total >>> bits != 0) {
            throw new IllegalBlockSizeException("with a nonce of " + nonce.length + " bytes a message of CCM has at most "
                    + ((1 << bits) - 1) + " bytes, not " + total + ": encrypt it as several");
        }
    }

    /** What was collected and then the input, which may be in the output's array. */
    private void gather(byte[] input, int offset, int length, byte[] output, int outputOffset) {
        if (length > 0) {
            System.arraycopy(input, offset, output, outputOffset + message.length(), length);
        }
        System.arraycopy(message.array(), 0, output, outputOffset, message.length());
    }
}
