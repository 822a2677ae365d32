package io.github.kuaimi.internal;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECParameterSpec;
import java.util.Arrays;

/** A private key of SM2: its 32 bytes, and its public key. */
public final class Sm2PrivateKey implements ECPrivateKey {
    private static final long serialVersionUID = 1;

    private final transient Secret number;
    private final Sm2PublicKey publicKey;

    private Sm2PrivateKey(byte[] number, Sm2PublicKey publicKey) {
        this.number = new Secret(number, Native::sm2Forget);
        this.publicKey = publicKey;
    }

    /** Of the bytes that native code returns: the number, x and y. They are wiped. */
    public static Sm2PrivateKey ofPair(byte[] pair) {
        Sm2PublicKey publicKey = new Sm2PublicKey(Arrays.copyOfRange(pair, 32, 96));
        Sm2PrivateKey key = new Sm2PrivateKey(Arrays.copyOf(pair, 32), publicKey);
        Wipe.wipe(pair);
        return key;
    }

    public static KeyPair generate() {
        Sm2PrivateKey key = ofPair(Native.sm2Generate());
        return new KeyPair(key.publicKey, key);
    }

    /** A private key of any class, if it is one of SM2. */
    public static Sm2PrivateKey of(Key key) throws InvalidKeyException {
        if (key instanceof Sm2PrivateKey) {
            return (Sm2PrivateKey) key;
        }
        if (key instanceof ECPrivateKey) {
            ECPrivateKey other = (ECPrivateKey) key;
            if (!Sm2Curve.is(other.getParams())) {
                throw new InvalidKeyException("this key is not on SM2's curve, sm2p256v1");
            }
            return of(other.getS());
        }
        if (key instanceof PrivateKey && "PKCS#8".equals(key.getFormat())) {
            byte[] encoded = key.getEncoded();
            if (encoded != null) {
                try {
                    return ofPair(Native.sm2FromPkcs8(encoded));
                } finally {
                    Wipe.wipe(encoded);
                }
            }
        }
        throw new InvalidKeyException("a private key of SM2 is needed, not "
                + (key == null ? "null" : "a " + key.getAlgorithm() + " key of " + key.getClass().getName()));
    }

    static Sm2PrivateKey of(BigInteger s) throws InvalidKeyException {
        byte[] number = Sm2Curve.bytes(s);
        if (number == null) {
            throw new InvalidKeyException("the private key is out of range: it must be at least 1 and at most n - 2");
        }
        return new Sm2PrivateKey(number, new Sm2PublicKey(Native.sm2PublicKey(number)));
    }

    /** A copy, for the caller to {@link #release}. */
    public byte[] number() throws InvalidKeyException {
        return number.take();
    }

    /** Wipes a copy that {@link #number} gave, after its use. Null is nothing. */
    public void release(byte[] copy) {
        number.release(copy);
    }

    public Sm2PublicKey publicKey() {
        return publicKey;
    }

    @Override
    public BigInteger getS() {
        byte[] bytes = number.copy();
        try {
            return new BigInteger(1, bytes);
        } finally {
            release(bytes);
        }
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
        return "PKCS#8";
    }

    @Override
    public byte[] getEncoded() {
        byte[] bytes = number.copy();
        try {
            return Native.sm2ToPkcs8(bytes);
        } catch (InvalidKeyException impossible) {
            throw new IllegalStateException("the number was checked", impossible);
        } finally {
            release(bytes);
        }
    }

    /** Wipes the number, here and in native code. */
    @Override
    public void destroy() {
        number.destroy();
    }

    @Override
    public boolean isDestroyed() {
        return number.isDestroyed();
    }

    private Object writeReplace() throws ObjectStreamException {
        return new KeyRep(KeyRep.Type.PRIVATE, getAlgorithm(), getFormat(), getEncoded());
    }

    private void readObject(ObjectInputStream stream) throws InvalidObjectException {
        throw new InvalidObjectException("a key is written as its encoding");
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof PrivateKey) || isDestroyed() || ((PrivateKey) other).isDestroyed()) {
            return false;
        }
        byte[] mine = null;
        byte[] others = null;
        try {
            mine = number();
            others = of((PrivateKey) other).number();
            return MessageDigest.isEqual(mine, others);
        } catch (InvalidKeyException ofAnotherAlgorithm) {
            return false;
        } finally {
            Wipe.wipe(mine);
            Wipe.wipe(others);
        }
    }

    @Override
    public int hashCode() {
        return publicKey.hashCode();
    }

    @Override
    public String toString() {
        return "SM2 private key of the " + publicKey;
    }
}
