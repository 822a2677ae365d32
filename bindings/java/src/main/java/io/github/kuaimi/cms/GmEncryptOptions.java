package io.github.kuaimi.cms;

/**
 * How a message is encrypted. An object does not change: each method returns another one. The defaults are GM/T 0010, SM4-CBC, and
 * recipients named by issuer and serial number.
 */
public final class GmEncryptOptions {
    /** The defaults. */
    public static final GmEncryptOptions DEFAULT = new GmEncryptOptions(GmForm.GM, GmCipher.SM4_CBC, false);
    /** What CFCA's SADK writes and reads: SM4 named without a mode, and recipients named by their key. */
    public static final GmEncryptOptions SADK = new GmEncryptOptions(GmForm.GM, GmCipher.SM4_CBC_SADK, true);

    private final GmForm form;
    final GmCipher cipher;
    private final boolean byKey;

    private GmEncryptOptions(GmForm form, GmCipher cipher, boolean byKey) {
        this.form = form;
        this.cipher = cipher;
        this.byKey = byKey;
    }

    /**
     * @param chosen any form
     * @return the same with these object identifiers
     */
    public GmEncryptOptions form(GmForm chosen) {
        return new GmEncryptOptions(chosen, cipher, byKey);
    }

    /**
     * @param chosen any cipher; but {@link GmMessages#signAndEncrypt} and {@link GmMessages#encryptUnder} have no GCM
     * @return the same with this cipher
     */
    public GmEncryptOptions cipher(GmCipher chosen) {
        return new GmEncryptOptions(form, chosen, byKey);
    }

    /** @return the same with recipients named by the identifier of their key: that in the certificate, or else SHA-1 of the key */
    public GmEncryptOptions byKeyIdentifier() {
        return new GmEncryptOptions(form, cipher, true);
    }

    /** As native code has it: the form in the two lowest bits, and a flag. */
    int settings() {
        return form.ordinal() | (byKey ? 16 : 0);
    }
}
