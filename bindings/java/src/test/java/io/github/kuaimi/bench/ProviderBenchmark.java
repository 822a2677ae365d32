package io.github.kuaimi.bench;

import com.tencent.kona.crypto.spec.SM2SignatureParameterSpec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What a server does: one key again and again, objects that are kept. Messages of 32 bytes are signed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ProviderBenchmark {
    /** The processor time of the measured thread, as other programs may use the machine, too. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Processor {
        public long nanoseconds;
        public long operations;
        private long start;

        private static long now() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        @Setup(Level.Iteration)
        public void start() {
            start = now();
        }

        @TearDown(Level.Iteration)
        public void stop() {
            nanoseconds = now() - start;
        }
    }

    @Param
    public Providers provider;

    private final byte[] message = new byte[32];
    private final byte[] large = new byte[16 << 10];
    private final byte[] room = new byte[(16 << 10) + 16];
    private final SecretKeySpec key = new SecretKeySpec(new byte[16], "SM4");
    private long nonce;
    private Signature signer;
    private Signature verifier;
    private byte[] signature;
    private MessageDigest digest;
    private Cipher gcm;
    private Cipher cbc;

    @Setup
    public void setUp() throws Exception {
        Provider used = provider.provider();
        KeyPair pair = provider.keyPair();
        signer = Signature.getInstance("SM2", signatures(used));
        verifier = Signature.getInstance("SM2", signatures(used));
        if (provider.isKona()) {
            // Without it, Kona computes the public key again for each signature.
            SM2SignatureParameterSpec spec = new SM2SignatureParameterSpec((ECPublicKey) pair.getPublic());
            signer.setParameter(spec);
            verifier.setParameter(spec);
        }
        signer.initSign(pair.getPrivate());
        verifier.initVerify(pair.getPublic());
        digest = MessageDigest.getInstance("SM3", used);
        gcm = Cipher.getInstance("SM4/GCM/NoPadding", used);
        cbc = Cipher.getInstance("SM4/CBC/NoPadding", used);
        cbc.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        signature = sign();
        if (!verify()) {
            throw new IllegalStateException(provider + " refuses its own signature");
        }
    }

    /** Bouncy Castle names its signature by its digest. */
    private static Provider signatures(Provider used) {
        if (used.getService("Signature", "SM2") == null) {
            used.put("Alg.Alias.Signature.SM2", "SM3WITHSM2");
        }
        return used;
    }

    @Benchmark
    public byte[] sign(Processor processor) throws Exception {
        processor.operations++;
        return sign();
    }

    private byte[] sign() throws Exception {
        signer.update(message);
        return signer.sign();
    }

    @Benchmark
    public boolean verify(Processor processor) throws Exception {
        processor.operations++;
        return verify();
    }

    private boolean verify() throws Exception {
        verifier.update(message);
        return verifier.verify(signature);
    }

    @Benchmark
    public byte[] sm3Of32Bytes(Processor processor) {
        processor.operations++;
        return digest.digest(message);
    }

    @Benchmark
    public byte[] sm3Of16KiB(Processor processor) {
        processor.operations++;
        return digest.digest(large);
    }

    @Benchmark
    public int gcmOf16KiB(Processor processor) throws Exception {
        processor.operations++;
        byte[] fresh = ByteBuffer.allocate(12).putLong(4, ++nonce).array();
        gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, fresh));
        return gcm.doFinal(large, 0, large.length, room);
    }

    @Benchmark
    public int cbcDecryptOf16KiB(Processor processor) throws Exception {
        processor.operations++;
        return cbc.doFinal(large, 0, large.length, room);
    }
}
