package io.github.kuaimi.internal;

import java.math.BigInteger;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Locale;
import java.util.Set;

/** SM2's recommended curve (GB/T 32918.5-2017) in the classes of Java. */
final class Sm2Curve {
    static final String OID = "1.2.156.10197.1.301";
    static final ECParameterSpec PARAMETERS;

    private static final Set<String> NAMES = Set.of("sm2p256v1", "curvesm2", "sm2", OID);

    static {
        BigInteger p = hex("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff");
        BigInteger a = p.subtract(BigInteger.valueOf(3));
        BigInteger b = hex("28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93");
        BigInteger n = hex("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123");
        ECPoint generator = new ECPoint(
                hex("32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"),
                hex("bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"));
        PARAMETERS = new Named(new EllipticCurve(new ECFieldFp(p), a, b), generator, n);
    }

    private Sm2Curve() {}

    private static BigInteger hex(String digits) {
        return new BigInteger(digits, 16);
    }

    /** Whether these are the parameters of this curve: by a name, or in full. */
    static boolean is(AlgorithmParameterSpec spec) {
        if (spec instanceof ECGenParameterSpec) {
            return NAMES.contains(((ECGenParameterSpec) spec).getName().toLowerCase(Locale.ROOT));
        }
        if (!(spec instanceof ECParameterSpec)) {
            return false;
        }
        ECParameterSpec other = (ECParameterSpec) spec;
        // Not EllipticCurve.equals: it compares seeds, too, which do not matter.
        return PARAMETERS.getCurve().getField().equals(other.getCurve().getField())
                && PARAMETERS.getCurve().getA().equals(other.getCurve().getA())
                && PARAMETERS.getCurve().getB().equals(other.getCurve().getB())
                && PARAMETERS.getGenerator().equals(other.getGenerator())
                && PARAMETERS.getOrder().equals(other.getOrder());
    }

    /** A point as x and y. Whether it is on the curve is not checked here. */
    static byte[] bytes(ECPoint point) {
        byte[] bytes = new byte[64];
        if (point.equals(ECPoint.POINT_INFINITY)
                || !put(point.getAffineX(), bytes, 0)
                || !put(point.getAffineY(), bytes, 32)) {
            return null;
        }
        return bytes;
    }

    /** A number of 32 bytes, or null. */
    static byte[] bytes(BigInteger number) {
        byte[] bytes = new byte[32];
        return put(number, bytes, 0) ? bytes : null;
    }

    private static boolean put(BigInteger number, byte[] bytes, int offset) {
        if (number.signum() < 0 || number.bitLength() > 256) {
            return false;
        }
        byte[] digits = number.toByteArray();
        int count = Math.min(digits.length, 32);
        System.arraycopy(digits, digits.length - count, bytes, offset + 32 - count, count);
        Wipe.wipe(digits);
        return true;
    }

    /** The parameters with their name, which programs that print keys show. */
    private static final class Named extends ECParameterSpec {
        Named(EllipticCurve curve, ECPoint generator, BigInteger order) {
            super(curve, generator, order, 1);
        }

        @Override
        public String toString() {
            return "sm2p256v1 (" + OID + ")";
        }
    }
}
