package io.github.kuaimi.internal;

import io.github.kuaimi.Sm2CipherParameterSpec;
import io.github.kuaimi.Sm2CiphertextForm;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Locale;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;

/** {@code Cipher.SM2} (GB/T 32918.4-2016): the message is collected, and encrypted or decrypted as a whole. */
final class Sm2Cipher extends WrappingCipher {
    private static final int ANY = -1;

    private final Bytes message = new Bytes();
    private Sm2CiphertextForm mode;
    private Sm2CiphertextForm form;
    private Sm2PublicKey publicKey;
    private Sm2PrivateKey privateKey;

    @Override
    protected void engineSetMode(String name) throws NoSuchAlgorithmException {
        switch (name.toUpperCase(Locale.ROOT)) {
            case "NONE":
                mode = null;
                break;
            case "C1C3C2":
                mode = Sm2CiphertextForm.C1C3C2;
                break;
            case "C1C2C3":
                mode = Sm2CiphertextForm.C1C2C3;
                break;
            default:
                throw new NoSuchAlgorithmException("the modes of SM2 are C1C3C2, C1C2C3 and NONE, not " + name);
        }
    }

    @Override
    protected void engineSetPadding(String name) throws NoSuchPaddingException {
        if (!name.equalsIgnoreCase("NoPadding")) {
            throw new NoSuchPaddingException("SM2 has no padding: NoPadding, not " + name);
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return 0;
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        return 256;
    }

    /** At most what comes out: DER takes ten bytes more. */
    @Override
    protected int engineGetOutputSize(int length) {
        int total = message.length() + length;
        return publicKey != null ? total + 65 + 32 + 16 : total;
    }

    @Override
    protected byte[] engineGetIV() {
        return null;
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        return null;
    }

    @Override
    protected void engineInit(int operation, Key key, SecureRandom random) throws InvalidKeyException {
        if (operation == Cipher.ENCRYPT_MODE || operation == Cipher.WRAP_MODE) {
            publicKey = Sm2PublicKey.of(key);
            privateKey = null;
        } else {
            privateKey = Sm2PrivateKey.of(key);
            publicKey = null;
        }
        form = mode;
        message.clear();
    }

    @Override
    protected void engineInit(int operation, Key key, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (params != null && !(params instanceof Sm2CipherParameterSpec)) {
            throw new InvalidAlgorithmParameterException("the form is given by an Sm2CipherParameterSpec");
        }
        engineInit(operation, key, random);
        if (params != null) {
            form = ((Sm2CipherParameterSpec) params).getForm();
        }
    }

    @Override
    protected void engineInit(int operation, Key key, AlgorithmParameters params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (params != null) {
            throw new InvalidAlgorithmParameterException("the form is given by an Sm2CipherParameterSpec");
        }
        engineInit(operation, key, random);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        message.add(input, offset, length);
        return null;
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset) {
        message.add(input, offset, length);
        return 0;
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
            throws IllegalBlockSizeException, BadPaddingException {
        if (length > 0) {
            message.add(input, offset, length);
        }
        try {
            if (publicKey != null) {
                if (message.length() == 0) {
                    throw new IllegalBlockSizeException("an empty message cannot be encrypted with SM2");
                }
                int number = form == null ? Sm2CiphertextForm.C1C3C2.ordinal() : form.ordinal();
                return Native.sm2Encrypt(publicKey.point(), message.array(), 0, message.length(), number);
            }
            byte[] number = privateKey.number();
            try {
                int wanted = form == null ? ANY : form.ordinal();
                return Native.sm2Decrypt(number, message.array(), 0, message.length(), wanted);
            } finally {
                privateKey.release(number);
            }
        } catch (InvalidKeyException reason) {
            throw new IllegalStateException(reason.getMessage(), reason);
        } finally {
            message.clear();
        }
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int needed = engineGetOutputSize(length);
        // Encryption takes room for the longest form of the result: it cannot be done twice with one result.
        if (publicKey != null && output.length - outputOffset < needed) {
            throw new ShortBufferException("room for " + needed + " bytes is needed");
        }
        byte[] before = message.copy();
        byte[] result = engineDoFinal(input, offset, length);
        try {
            if (output.length - outputOffset < result.length) {
                message.add(before, 0, before.length);
                throw new ShortBufferException("room for " + result.length + " bytes is needed");
            }
            System.arraycopy(result, 0, output, outputOffset, result.length);
            return result.length;
        } finally {
            Wipe.wipe(before);
            Wipe.wipe(result);
        }
    }
}
