package io.github.kuaimi.internal;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyRep;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.util.Arrays;

/** A public key of SM2: a point that was found to be on the curve. */
public final class Sm2PublicKey implements ECPublicKey {
    private static final long serialVersionUID = 1;

    private final byte[] point;
    private transient volatile byte[] encoded;
    private transient volatile IdentityDigest last;

    /** The caller has checked the point. */
    public Sm2PublicKey(byte[] point) {
        this.point = point;
    }

    /** A public key of any class, if it is one of SM2. */
    public static Sm2PublicKey of(Key key) throws InvalidKeyException {
        if (key instanceof Sm2PublicKey) {
            return (Sm2PublicKey) key;
        }
        if (key instanceof ECPublicKey) {
            ECPublicKey other = (ECPublicKey) key;
            if (!Sm2Curve.is(other.getParams())) {
                throw new InvalidKeyException("this key is not on SM2's curve, sm2p256v1");
            }
            return of(other.getW());
        }
        if (key instanceof PublicKey && "X.509".equals(key.getFormat())) {
            byte[] encoded = key.getEncoded();
            if (encoded != null) {
                return new Sm2PublicKey(Native.sm2FromSpki(encoded));
            }
        }
        throw new InvalidKeyException("a public key of SM2 is needed, not "
                + (key == null ? "null" : "a " + key.getAlgorithm() + " key of " + key.getClass().getName()));
    }

    static Sm2PublicKey of(ECPoint w) throws InvalidKeyException {
        byte[] point = Sm2Curve.bytes(w);
        if (point == null) {
            throw new InvalidKeyException("this is no point of SM2's curve");
        }
        byte[] sec1 = new byte[65];
        sec1[0] = 4;
        System.arraycopy(point, 0, sec1, 1, 64);
        return new Sm2PublicKey(Native.sm2Point(sec1));
    }

    /** x and y. Nobody may change them. */
    public byte[] point() {
        return point;
    }

    /** Z of an identity (GB/T 32918.2-2016, 5.5). The last one is kept. */
    byte[] identityDigest(byte[] identity) {
        IdentityDigest known = last;
        if (known == null || !Arrays.equals(known.identity, identity)) {
            try {
                byte[] own = identity.clone();
                known = new IdentityDigest(own, Native.sm2IdentityDigest(point, own));
            } catch (InvalidKeyException impossible) {
                throw new ProviderException("the point was checked", impossible);
            }
            last = known;
        }
        return known.digest;
    }

    private static final class IdentityDigest {
        final byte[] identity;
        final byte[] digest;

        IdentityDigest(byte[] identity, byte[] digest) {
            this.identity = identity;
            this.digest = digest;
        }
    }

    @Override
    public ECPoint getW() {
        return new ECPoint(
                new BigInteger(1, Arrays.copyOf(point, 32)), new BigInteger(1, Arrays.copyOfRange(point, 32, 64)));
    }

    @Override
    public ECParameterSpec getParams() {
        return Sm2Curve.PARAMETERS;
    }

    @Override
    public String getAlgorithm() {
        return "EC";
    }

    @Override
    public String getFormat() {
        return "X.509";
    }

    @Override
    public byte[] getEncoded() {
        byte[] bytes = encoded;
        if (bytes == null) {
            try {
                bytes = Native.sm2ToSpki(point);
            } catch (InvalidKeyException impossible) {
                throw new ProviderException("the point was checked", impossible);
            }
            encoded = bytes;
        }
        return bytes.clone();
    }

    private Object writeReplace() throws ObjectStreamException {
        return new KeyRep(KeyRep.Type.PUBLIC, getAlgorithm(), getFormat(), getEncoded());
    }

    private void readObject(ObjectInputStream stream) throws InvalidObjectException {
        throw new InvalidObjectException("a key is written as its encoding");
    }

    @Override
    public boolean equals(Object other) {
        if (other instanceof Sm2PublicKey) {
            return Arrays.equals(point, ((Sm2PublicKey) other).point);
        }
        return other instanceof PublicKey && Arrays.equals(getEncoded(), ((PublicKey) other).getEncoded());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(getEncoded());
    }

    @Override
    public String toString() {
        return "SM2 public key " + String.format("%064x, %064x", getW().getAffineX(), getW().getAffineY());
    }
}
