package io.github.kuaimi;

import java.security.spec.AlgorithmParameterSpec;
import java.util.Objects;

/** The form of ciphertext that {@code Cipher.SM2} writes, and the only one that it reads. Without it, it writes C1C3C2 and reads all. */
public final class Sm2CipherParameterSpec implements AlgorithmParameterSpec {
    private final Sm2CiphertextForm form;

    /** @param form the form */
    public Sm2CipherParameterSpec(Sm2CiphertextForm form) {
        this.form = Objects.requireNonNull(form);
    }

    /** @return the form */
    public Sm2CiphertextForm getForm() {
        return form;
    }
}
