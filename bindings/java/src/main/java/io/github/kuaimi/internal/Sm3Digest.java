package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.security.MessageDigestSpi;

/** {@code MessageDigest.SM3} (GB/T 32905-2016). */
final class Sm3Digest extends MessageDigestSpi implements Cloneable {
    private Sm3State state = new Sm3State();

    @Override
    protected int engineGetDigestLength() {
        return Sm3State.DIGEST;
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
    protected byte[] engineDigest() {
        return state.digest();
    }

    @Override
    protected void engineReset() {
        state.reset();
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        Sm3Digest copy = (Sm3Digest) super.clone();
        copy.state = new Sm3State(state);
        return copy;
    }
}
