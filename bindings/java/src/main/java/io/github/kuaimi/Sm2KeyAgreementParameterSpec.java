package io.github.kuaimi;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Objects;

/**
 * The two sides of SM2's key exchange (GB/T 32918.3-2016). {@code KeyAgreement.SM2} is initialized with an ephemeral private key and
 * this; {@code doPhase} takes the other side's ephemeral public key.
 */
public final class Sm2KeyAgreementParameterSpec implements AlgorithmParameterSpec {
    private final boolean initiator;
    private final PrivateKey key;
    private final byte[] identity;
    private final PublicKey peerKey;
    private final byte[] peerIdentity;
    private final int length;

    /**
     * @param initiator whether this side is A of the standard, which begins
     * @param key this side's long-term key
     * @param identity this side's identity
     * @param peerKey the other side's long-term key
     * @param peerIdentity the other side's identity
     * @param length the bytes of the shared key
     */
    public Sm2KeyAgreementParameterSpec(
            boolean initiator,
            PrivateKey key,
            byte[] identity,
            PublicKey peerKey,
            byte[] peerIdentity,
            int length) {
        if (length < 1) {
            throw new IllegalArgumentException("the shared key has at least one byte");
        }
        this.initiator = initiator;
        this.key = Objects.requireNonNull(key);
        this.identity = identity.clone();
        this.peerKey = Objects.requireNonNull(peerKey);
        this.peerIdentity = peerIdentity.clone();
        this.length = length;
    }

    /** @return whether this side begins */
    public boolean isInitiator() {
        return initiator;
    }

    /** @return this side's long-term key */
    public PrivateKey getKey() {
        return key;
    }

    /** @return this side's identity */
    public byte[] getId() {
        return identity.clone();
    }

    /** @return the other side's long-term key */
    public PublicKey getPeerKey() {
        return peerKey;
    }

    /** @return the other side's identity */
    public byte[] getPeerId() {
        return peerIdentity.clone();
    }

    /** @return the bytes of the shared key */
    public int getLength() {
        return length;
    }
}
