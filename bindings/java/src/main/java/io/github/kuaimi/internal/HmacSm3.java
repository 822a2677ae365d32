package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.MacSpi;

/** {@code Mac.HmacSM3} (RFC 2104): the states after the padded keys are kept, not the key. */
final class HmacSm3 extends MacSpi implements Cloneable {
    private Sm3State inner = new Sm3State();
    private Sm3State outer = new Sm3State();
    private Sm3State state = new Sm3State();

    @Override
    protected int engineGetMacLength() {
        return Sm3State.DIGEST;
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec params)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (params != null) {
            throw new InvalidAlgorithmParameterException("HmacSM3 has no parameters");
        }
        byte[] bytes = SecretKeys.bytes(key);
        byte[] block = new byte[Sm3State.BLOCK];
        if (bytes.length > Sm3State.BLOCK) {
            Sm3State hash = new Sm3State();
            hash.update(bytes, 0, bytes.length);
            System.arraycopy(hash.digest(), 0, block, 0, Sm3State.DIGEST);
        } else {
            System.arraycopy(bytes, 0, block, 0, bytes.length);
        }
        Wipe.wipe(bytes);
        absorb(inner, block, 0x36);
        absorb(outer, block, 0x5c);
        Wipe.wipe(block);
        engineReset();
    }

    private static void absorb(Sm3State state, byte[] key, int pad) {
        state.reset();
        for (byte value : key) {
            state.update((byte) (value ^ pad));
        }
        state.compress();
    }

    @Override
    protected void engineUpdate(byte input) {
        state.update(input);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        state.update(input, offset, length);
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        state.update(input);
    }

    @Override
    protected byte[] engineDoFinal() {
        byte[] digest = state.digest();
        state.set(outer);
        state.update(digest, 0, digest.length);
        byte[] tag = state.digest();
        engineReset();
        return tag;
    }

    @Override
    protected void engineReset() {
        state.set(inner);
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        HmacSm3 copy = (HmacSm3) super.clone();
        copy.inner = new Sm3State(inner);
        copy.outer = new Sm3State(outer);
        copy.state = new Sm3State(state);
        return copy;
    }
}
