package io.github.kuaimi.internal;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;

/** SM4 in ECB, CBC, CTR, CFB and OFB (NIST SP 800-38A). What goes on from piece to piece is in arrays of this object. */
final class Sm4Cipher extends Sm4Spi {
    /** The modes. ECB and CBC work on whole blocks, the others on bytes. */
    enum Mode {
        ECB,
        CBC,
        CTR,
        CFB,
        OFB;

        boolean inBlocks() {
            return this == ECB || this == CBC;
        }

        /** The number of the mode in native code. */
        int number(boolean encrypts) {
            switch (this) {
                case CTR:
                    return 0;
                case CFB:
                    return encrypts ? 1 : 2;
                default:
                    return 3;
            }
        }
    }

    private final Mode mode;
    private boolean padding;
    private byte[] key;
    private boolean encrypts;
    private byte[] iv;
    /** CBC: the last block of ciphertext; streams: where they stand within a block. */
    private byte[] state;
    /** Bytes of a block that is not whole yet or, when padding is to be removed, perhaps the last. */
    private final byte[] pending = new byte[BLOCK];
    private int waiting;

    Sm4Cipher(Mode mode) {
        super(IvParameterSpec.class);
        this.mode = mode;
        padding = mode.inBlocks();
    }

    @Override
    protected void engineSetPadding(String name) throws NoSuchPaddingException {
        switch (name.toUpperCase(Locale.ROOT)) {
            case "NOPADDING":
                padding = false;
                break;
            case "PKCS5PADDING":
            case "PKCS7PADDING":
                if (!mode.inBlocks()) {
                    throw new NoSuchPaddingException(mode + " needs no padding: NoPadding");
                }
                padding = true;
                break;
            default:
                throw new NoSuchPaddingException("the paddings are PKCS5Padding and NoPadding, not " + name);
        }
    }

    @Override
    protected void engineInit(int operation, Key newKey, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] newIv = null;
        if (mode == Mode.ECB) {
            if (params != null) {
                throw new InvalidAlgorithmParameterException("ECB has no parameters");
            }
        } else if (params != null) {
            if (!(params instanceof IvParameterSpec)) {
                throw new InvalidAlgorithmParameterException(mode + " needs an IvParameterSpec");
            }
            newIv = ((IvParameterSpec) params).getIV();
            if (newIv.length != BLOCK) {
                throw new InvalidAlgorithmParameterException("an initialization vector has 16 bytes, not " + newIv.length);
            }
        } else if (encrypts(operation)) {
            newIv = random(random, BLOCK);
        } else {
            throw new InvalidAlgorithmParameterException("to decrypt, the initialization vector is needed");
        }
        byte[] bytes = SecretKeys.sm4(newKey);
        Wipe.wipe(key);
        key = bytes;
        encrypts = encrypts(operation);
        iv = newIv;
        restart();
    }

    private void restart() {
        Wipe.wipe(state);
        Wipe.wipe(pending);
        waiting = 0;
        // Native code takes a stream's state as the block that it began with, what went in since, and a count.
        state = iv == null ? null : Arrays.copyOf(iv, mode.inBlocks() ? BLOCK : 2 * BLOCK + 1);
    }

    @Override
    protected byte[] engineGetIV() {
        return iv == null ? null : iv.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (iv == null) {
            return null;
        }
        try {
            AlgorithmParameters parameters = Parameters.of("SM4", new Sm4Parameters());
            parameters.init(new IvParameterSpec(iv));
            return parameters;
        } catch (InvalidParameterSpecException impossible) {
            throw new ProviderException("the vector has 16 bytes", impossible);
        }
    }

    @Override
    protected int engineGetOutputSize(int length) {
        int total = Math.addExact(waiting, length);
        return padding && encrypts ? Math.addExact(total, BLOCK - total % BLOCK) : total;
    }

    /** How many bytes come out now if {@code length} go in and more may follow. */
    private int ready(int length) {
        if (!mode.inBlocks()) {
            return length;
        }
        int total = Math.addExact(waiting, length);
        int whole = total - total % BLOCK;
        return padding && !encrypts && whole == total && whole > 0 ? whole - BLOCK : whole;
    }

    private void apply(byte[] data, int offset, int length) {
        if (length == 0) {
            return;
        }
        switch (mode) {
            case ECB:
                Native.sm4Ecb(key, encrypts, data, offset, length);
                break;
            case CBC:
                Native.sm4Cbc(key, state, encrypts, data, offset, length);
                break;
            default:
                Native.sm4Stream(key, mode.number(encrypts), state, data, offset, length);
        }
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        byte[] output = new byte[ready(length)];
        pieces(input, offset, length, output, 0, output.length);
        return output.length == 0 ? null : output;
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException {
        int ready = ready(length);
        room(output, outputOffset, ready);
        pieces(input, offset, length, output, outputOffset, ready);
        return ready;
    }

    private static void room(byte[] output, int offset, int needed) throws ShortBufferException {
        if (output.length - offset < needed) {
            throw new ShortBufferException("room for " + needed + " bytes is needed");
        }
    }

    /** Input and output may be parts of one array, which may overlap. */
    private void pieces(byte[] input, int offset, int length, byte[] output, int outputOffset, int ready) {
        int taken = Math.max(0, ready - waiting);
        byte[] rest = Arrays.copyOfRange(input, offset + Math.min(taken, length), offset + length);
        if (ready > 0) {
            System.arraycopy(input, offset, output, outputOffset + waiting, taken);
            System.arraycopy(pending, 0, output, outputOffset, waiting);
            waiting = 0;
            apply(output, outputOffset, ready);
        }
        System.arraycopy(rest, 0, pending, waiting, rest.length);
        waiting += rest.length;
        Wipe.wipe(rest);
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
            throws IllegalBlockSizeException, BadPaddingException {
        byte[] output = new byte[engineGetOutputSize(length)];
        try {
            int count = finish(input, offset, length, output, 0, Integer.MAX_VALUE);
            return count == output.length ? output : shortened(output, count);
        } catch (ShortBufferException impossible) {
            throw new ProviderException("the output is long enough", impossible);
        }
    }

    private static byte[] shortened(byte[] output, int count) {
        byte[] result = Arrays.copyOf(output, count);
        Wipe.wipe(output);
        return result;
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int most = engineGetOutputSize(length);
        int room = output.length - outputOffset;
        if (padding && !encrypts) {
            // How much comes out is known when it is decrypted: not in the caller's array, which may be too short.
            byte[] plaintext = new byte[most];
            int count = finish(input, offset, length, plaintext, 0, room);
            System.arraycopy(plaintext, 0, output, outputOffset, count);
            Wipe.wipe(plaintext);
            return count;
        }
        room(output, outputOffset, most);
        return finish(input, offset, length, output, outputOffset, room);
    }

    /** If the result is longer than {@code room}, everything stays as it was. */
    private int finish(byte[] input, int offset, int length, byte[] output, int outputOffset, int room)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int total = Math.addExact(waiting, length);
        if (mode.inBlocks() && total % BLOCK != 0 && !(padding && encrypts)) {
            restart();
            throw new IllegalBlockSizeException(
                    "the length must be a multiple of 16 bytes, not " + total + (encrypts ? ": use PKCS5Padding" : ""));
        }
        byte[] before = state == null ? null : state.clone();
        if (length > 0) {
            System.arraycopy(input, offset, output, outputOffset + waiting, length);
        }
        System.arraycopy(pending, 0, output, outputOffset, waiting);
        int count = total;
        if (padding && encrypts) {
            int pad = BLOCK - total % BLOCK;
            Arrays.fill(output, outputOffset + total, outputOffset + total + pad, (byte) pad);
            count += pad;
        }
        apply(output, outputOffset, count);
        if (padding && !encrypts) {
            count -= total == 0 ? 0 : pad(output, outputOffset + total);
            if (count > room) {
                Wipe.wipe(output);
                state = before;
                throw new ShortBufferException("room for " + count + " bytes is needed");
            }
        }
        restart();
        return count;
    }

    /** The length of a padding that ends here. The time does not depend on it, or on whether it is right. */
    private int pad(byte[] plaintext, int end) throws BadPaddingException {
        int pad = plaintext[end - 1] & 0xff;
        int wrong = (pad - 1 | BLOCK - pad) >> 31;
        for (int i = 1; i <= BLOCK; i++) {
            int within = ~(pad - i >> 31);
            wrong |= within & (plaintext[end - i] & 0xff ^ pad);
        }
        if (wrong != 0) {
            Wipe.wipe(plaintext);
            restart();
            throw new BadPaddingException("decryption failed: another key or initialization vector, or altered data");
        }
        return pad;
    }
}
