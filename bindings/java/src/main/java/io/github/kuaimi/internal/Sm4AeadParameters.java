package io.github.kuaimi.internal;

import java.io.IOException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;

/** {@code AlgorithmParameters.SM4/GCM} and {@code SM4/CCM}: a nonce and the length of tags, in DER as RFC 5084 has them. */
final class Sm4AeadParameters extends DerParameters {
    /** RFC 5084, 3.1 and 3.2: a length of 12 bytes is left out. */
    private static final int DEFAULT_TAG = 12;

    private byte[] nonce;
    private int tagLength;

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        if (!(spec instanceof GCMParameterSpec)) {
            throw new InvalidParameterSpecException("a GCMParameterSpec is needed: the tag's bits, and the nonce");
        }
        GCMParameterSpec given = (GCMParameterSpec) spec;
        if (given.getIV().length == 0 || given.getIV().length > 100 || given.getTLen() % 8 != 0) {
            throw new InvalidParameterSpecException("a nonce has 1 to 100 bytes here, and a tag whole bytes");
        }
        nonce = given.getIV();
        tagLength = given.getTLen() / 8;
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        // SEQUENCE { OCTET STRING nonce, INTEGER tag length DEFAULT 12 }
        int total = encoded.length;
        boolean right = total >= 5 && encoded[0] == Der.SEQUENCE && encoded[1] == total - 2 && encoded[2] == Der.OCTET_STRING;
        int length = right ? encoded[3] : 0;
        int end = 4 + length;
        right = right && length > 0 && end <= total;
        if (right && end != total) {
            right = total == end + 3 && encoded[end] == Der.INTEGER && encoded[end + 1] == 1 && encoded[end + 2] > 0
                    && encoded[end + 2] <= 16 && encoded[end + 2] != DEFAULT_TAG;
        }
        if (!right) {
            throw new IOException("these are no parameters of SM4-GCM or SM4-CCM in DER (RFC 5084)");
        }
        nonce = Arrays.copyOfRange(encoded, 4, end);
        tagLength = end == total ? DEFAULT_TAG : encoded[end + 2];
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> kind)
            throws InvalidParameterSpecException {
        if (!kind.isAssignableFrom(GCMParameterSpec.class)) {
            throw new InvalidParameterSpecException("these parameters are a GCMParameterSpec, not a " + kind.getName());
        }
        return kind.cast(new GCMParameterSpec(8 * tagLength, nonce));
    }

    @Override
    protected byte[] engineGetEncoded() throws IOException {
        byte[] octets = Der.octetString(nonce);
        int rest = tagLength == DEFAULT_TAG ? 0 : 3;
        byte[] encoded = new byte[2 + octets.length + rest];
        encoded[0] = Der.SEQUENCE;
        encoded[1] = (byte) (octets.length + rest);
        System.arraycopy(octets, 0, encoded, 2, octets.length);
        if (rest > 0) {
            encoded[encoded.length - 3] = Der.INTEGER;
            encoded[encoded.length - 2] = 1;
            encoded[encoded.length - 1] = (byte) tagLength;
        }
        return encoded;
    }

    @Override
    protected String engineToString() {
        return "SM4: a nonce of " + nonce.length + " bytes, tags of " + tagLength;
    }
}
