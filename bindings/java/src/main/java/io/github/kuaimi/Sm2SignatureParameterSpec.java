package io.github.kuaimi;

import java.nio.charset.StandardCharsets;
import java.security.spec.AlgorithmParameterSpec;

/** The identity under which SM2 signs (GB/T 32918.2-2016, 5.5). Without it, the identity is {@code 1234567812345678}. */
public final class Sm2SignatureParameterSpec implements AlgorithmParameterSpec {
    /** The identity that most programs use. */
    public static final String DEFAULT_IDENTITY = "1234567812345678";

    private static final int LONGEST = 8191;

    private final byte[] identity;

    /**
     * @param identity at most 8191 bytes, perhaps none
     * @throws IllegalArgumentException for a longer one
     */
    public Sm2SignatureParameterSpec(byte[] identity) {
        if (identity.length > LONGEST) {
            throw new IllegalArgumentException("an identity has at most " + LONGEST + " bytes, not " + identity.length);
        }
        this.identity = identity.clone();
    }

    /** @param identity it is written in UTF-8 */
    public Sm2SignatureParameterSpec(String identity) {
        this(identity.getBytes(StandardCharsets.UTF_8));
    }

    /** @return the identity's bytes */
    public byte[] getId() {
        return identity.clone();
    }
}
