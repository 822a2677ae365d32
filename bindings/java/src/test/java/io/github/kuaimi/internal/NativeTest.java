package io.github.kuaimi.internal;

import static io.github.kuaimi.Testing.KUAIMI;
import static io.github.kuaimi.Testing.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kuaimi.KuaimiProvider;
import io.github.kuaimi.Testing;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.ProviderException;
import java.security.Signature;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The border to native code: whatever comes, an exception goes back, and never the JVM. */
class NativeTest {
    @Test
    void panicsBecomeExceptions() {
        KUAIMI.getName();
        for (int i = 0; i < 3; i++) {
            ProviderException thrown = assertThrows(ProviderException.class, Native::panic);
            assertTrue(thrown.getMessage().contains("please report it"));
        }
    }

    @Test
    void theLibraryMustBeTheJars() {
        assertThrows(ProviderException.class, () -> NativeLibrary.checkVersion("0.0.1"));
        // The CRC-32 of these digits is the one that its descriptions give.
        NativeLibrary.checkWhole("123456789".getBytes(), "cbf43926");
        assertThrows(ProviderException.class, () -> NativeLibrary.checkWhole("123456788".getBytes(), "cbf43926"));
        assertEquals("linux-aarch64", NativeLibrary.platform("Linux", "arm64"));
        assertEquals("linux-x86_64", NativeLibrary.platform("Linux", "amd64"));
        assertEquals("windows-x86_64", NativeLibrary.platform("Windows 11", "amd64"));
        assertEquals("macos-aarch64", NativeLibrary.platform("Mac OS X", "aarch64"));
        assertThrows(ProviderException.class, () -> NativeLibrary.platform("Windows 11", "aarch64"));
        assertThrows(ProviderException.class, () -> NativeLibrary.platform("FreeBSD", "amd64"));
        assertEquals(KUAIMI.getVersionStr(), BuildVersion.VERSION);
    }

    @Test
    void keysThatComeBackGetTables() throws Exception {
        KuaimiProvider.forgetKeys();
        assertEquals(0, Native.sm2Tables());
        KeyPair pair = Testing.keyPair();
        Signature signature = Signature.getInstance("SM2", KUAIMI);
        signature.initSign(pair.getPrivate());
        byte[] signed = signature.sign();
        signature.initVerify(pair.getPublic());
        for (int i = 0; i < 3; i++) {
            assertTrue(signature.verify(signed));
        }
        assertEquals(1, Native.sm2Tables());
        // However many keys come, the tables are bounded.
        for (int key = 0; key < 1500; key++) {
            signature.initVerify(Testing.keyPair().getPublic());
            assertEquals(false, signature.verify(signed));
            assertEquals(false, signature.verify(signed));
        }
        assertTrue(Native.sm2Tables() < 800, "bounded");
        KuaimiProvider.forgetKeys();
        assertEquals(0, Native.sm2Tables());
    }

    @Test
    void whatFollowsFromAPrivateKeyIsForgottenWithIt() throws Exception {
        KuaimiProvider.forgetKeys();
        Signature signature = Signature.getInstance("SM2", KUAIMI);
        KeyPair one = Testing.keyPair();
        KeyPair other = Testing.keyPair();
        for (KeyPair pair : new KeyPair[] {one, other, one}) {
            signature.initSign(pair.getPrivate());
            signature.sign();
        }
        assertEquals(2, Native.sm2SigningKeys());
        one.getPrivate().destroy();
        assertEquals(1, Native.sm2SigningKeys());
        for (int key = 0; key < 1500; key++) {
            signature.initSign(Testing.keyPair().getPrivate());
            signature.sign();
        }
        assertEquals(1024, Native.sm2SigningKeys(), "bounded");
        KuaimiProvider.forgetKeys();
        assertEquals(0, Native.sm2SigningKeys());
    }

    @Test
    void aKeyThatIsDestroyedWhileItIsUsedIsForgottenAfterwards() throws Exception {
        KuaimiProvider.forgetKeys();
        Sm2PrivateKey key = (Sm2PrivateKey) Testing.keyPair().getPrivate();
        byte[] number = key.number();
        key.destroy();
        Native.sm2Sign(number, new byte[32], false);
        assertEquals(1, Native.sm2SigningKeys(), "native code remembers what it was given");
        key.release(number);
        assertEquals(0, Native.sm2SigningKeys());
        assertArrayEquals(new byte[32], number);
    }

    private static byte[] field(Object object, Class<?> type, String name) throws Exception {
        java.lang.reflect.Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        Object value = field.get(object);
        return value instanceof Secret ? field(value, Secret.class, "bytes") : (byte[]) value;
    }

    @Test
    void whatIsNotNeededIsWiped() throws Exception {
        Sm2PrivateKey key = (Sm2PrivateKey) Testing.keyPair().getPrivate();
        byte[] number = field(key, Sm2PrivateKey.class, "number");
        key.destroy();
        assertArrayEquals(new byte[32], number);

        SecretKey secret = SecretKeys.of(bytes(16, 1), "SM4");
        byte[] raw = field(secret, secret.getClass(), "secret");
        secret.destroy();
        assertArrayEquals(new byte[16], raw);

        byte[] pair = Native.sm2Generate();
        Sm2PrivateKey.ofPair(pair);
        assertArrayEquals(new byte[96], pair);

        Sm3State hash = new Sm3State();
        hash.update(bytes(300, 1), 0, 300);
        hash.digest();
        byte[] work = field(hash, Sm3State.class, "work");
        assertArrayEquals(new byte[work.length - 32], Arrays.copyOfRange(work, 32, work.length));

        Bytes collected = new Bytes();
        collected.add(bytes(300, 1), 0, 300);
        byte[] array = collected.array();
        collected.add(bytes(3000, 1), 0, 3000);
        assertArrayEquals(new byte[array.length], array, "when it grows");
        array = collected.array();
        collected.clear();
        assertArrayEquals(new byte[array.length], array);

        Sm4Cipher cipher = new Sm4Cipher(Sm4Cipher.Mode.CTR);
        cipher.engineInit(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(16, 1), "SM4"), new IvParameterSpec(new byte[16]), null);
        byte[] first = field(cipher, Sm4Cipher.class, "key");
        cipher.engineInit(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(16, 2), "SM4"), new IvParameterSpec(new byte[16]), null);
        assertArrayEquals(new byte[16], first, "the key before");
    }

    /** Every native method with every kind of wrong argument, thousands of times. */
    @Test
    void hostileArguments() throws Exception {
        Random random = new Random(18);
        byte[][] valid = {
            Native.sm2Generate(), bytes(32, 1), bytes(16, 1), bytes(64, 1), Native.sm9GenerateSigningMaster(),
            Testing.keyPair().getPublic().getEncoded(), Testing.keyPair().getPrivate().getEncoded()
        };
        int calls = 0;
        int refused = 0;
        for (Method method : Native.class.getDeclaredMethods()) {
            if (!Modifier.isNative(method.getModifiers()) || method.getName().equals("panic")) {
                continue;
            }
            for (int round = 0; round < 400; round++) {
                Class<?>[] types = method.getParameterTypes();
                Object[] arguments = new Object[types.length];
                for (int i = 0; i < types.length; i++) {
                    arguments[i] = hostile(types[i], method.getName(), random, valid);
                }
                calls++;
                try {
                    method.invoke(null, arguments);
                } catch (InvocationTargetException thrown) {
                    refused++;
                    Throwable reason = thrown.getCause();
                    boolean expected = reason instanceof GeneralSecurityException
                            || reason instanceof IllegalArgumentException
                            || reason instanceof ProviderException && !reason.getMessage().contains("report");
                    if (!expected) {
                        throw new AssertionError(method + " threw", reason);
                    }
                }
            }
        }
        assertTrue(calls > 10_000 && refused > calls / 4, calls + " calls, " + refused + " refused");
    }

    private static Object hostile(Class<?> type, String method, Random random, byte[][] valid) {
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == long.class) {
            return new long[] {-1, 0, 1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE}[random.nextInt(6)];
        }
        if (type == int.class) {
            int[] numbers = {0, 1, 2, 3, 16, 32, 64, -1, 100, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE};
            int number = numbers[random.nextInt(numbers.length)];
            // A billion iterations, or gigabytes that are asked for, are not wrong, but take their time.
            boolean costly = method.contains("Pbkdf2") || method.contains("Agree") || method.contains("capsulate");
            return costly && number > 1 << 12 ? 7 : number;
        }
        if (type == int[].class) {
            int[] ends = new int[random.nextInt(4)];
            for (int i = 0; i < ends.length; i++) {
                ends[i] = random.nextInt(60) - 5;
            }
            return random.nextInt(4) == 0 ? null : ends;
        }
        if (type == ByteBuffer.class) {
            ByteBuffer direct = ByteBuffer.allocateDirect(random.nextInt(300));
            switch (random.nextInt(6)) {
                case 0:
                    return null;
                case 1:
                    return ByteBuffer.allocate(100);
                default:
                    return direct;
            }
        }
        switch (random.nextInt(6)) {
            case 0:
                return null;
            case 1:
                return new byte[random.nextInt(200)];
            case 2:
                byte[] noise = new byte[random.nextInt(2) == 0 ? 16 << random.nextInt(4) : random.nextInt(3000)];
                random.nextBytes(noise);
                return noise;
            case 3:
                byte[] altered = valid[random.nextInt(valid.length)].clone();
                altered[random.nextInt(altered.length)] ^= (byte) (1 << random.nextInt(8));
                return altered;
            default:
                return valid[random.nextInt(valid.length)].clone();
        }
    }
}
