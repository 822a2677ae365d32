package io.github.kuaimi;

import io.github.kuaimi.internal.NativeLibrary;
import io.github.kuaimi.internal.Sm2KeyReader;
import java.security.InvalidKeyException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;

/** Keys of SM2 from files, in whatever form they are: PEM, DER, or bytes, also in hexadecimal or Base64. */
public final class Sm2Keys {
    private Sm2Keys() {}

    /**
     * A private key: PKCS#8, encrypted or not, the form of SEC 1, or 32 bytes.
     *
     * @param file what is in the file; it is for the caller to wipe
     * @param password of an encrypted key, or null
     * @return the key
     * @throws InvalidKeyException with the reason, if it cannot be read
     */
    public static ECPrivateKey readPrivate(byte[] file, char[] password) throws InvalidKeyException {
        NativeLibrary.require();
        return Sm2KeyReader.privateKey(file, password);
    }

    /**
     * A public key: SubjectPublicKeyInfo, a certificate, of which nothing else is checked, or a point, compressed or not.
     *
     * @param file what is in the file
     * @return the key
     * @throws InvalidKeyException with the reason, if it cannot be read
     */
    public static ECPublicKey readPublic(byte[] file) throws InvalidKeyException {
        NativeLibrary.require();
        return Sm2KeyReader.publicKey(file);
    }
}
