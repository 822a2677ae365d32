namespace Kuaimi
{
    /// <summary>How SM9 encrypts a message. The numbers are the <c>EnType</c> of GB/T 41389.</summary>
    public enum Sm9EncryptionMode
    {
        /// <summary>A key stream as long as the message: the usual mode.</summary>
        Stream = 0,

        /// <summary>SM4-ECB with padding. It shows which blocks of the message are equal.</summary>
        Ecb = 1,

        /// <summary>SM4-CBC with padding.</summary>
        Cbc = 2,

        /// <summary>SM4-OFB.</summary>
        Ofb = 4,

        /// <summary>SM4-CFB.</summary>
        Cfb = 8,
    }

    /// <summary>How SM9 authenticates a ciphertext.</summary>
    public enum Sm9Mac
    {
        /// <summary>The standard's: SM3 over the ciphertext and the key.</summary>
        Sm3 = 0,

        /// <summary>GmSSL's: HMAC-SM3.</summary>
        HmacSm3 = 1,
    }

    /// <summary>How a ciphertext of SM9 is written.</summary>
    public enum Sm9CiphertextFormat
    {
        /// <summary>DER (GB/T 41389), which names the mode.</summary>
        Der = 0,

        /// <summary>Point (64 bytes), digest (32 bytes), encrypted message. It does not name the mode.</summary>
        Raw = 1,
    }

    /// <summary>How a signature of SM9 is written.</summary>
    public enum Sm9SignatureFormat
    {
        /// <summary>h and S, 96 bytes.</summary>
        Raw = 1,

        /// <summary>DER (GB/T 41389), 104 bytes. The default.</summary>
        Der = 2,
    }

    /// <summary>How a key of SM9 is written.</summary>
    public enum Sm9KeyFormat
    {
        /// <summary>The number or the coordinates alone, most significant byte first.</summary>
        Raw = 1,

        /// <summary>A secret key: PKCS#8 in PEM.</summary>
        Pkcs8Pem = 2,

        /// <summary>A secret key: PKCS#8 in DER.</summary>
        Pkcs8Der = 3,

        /// <summary>A master public key: SubjectPublicKeyInfo in PEM.</summary>
        SubjectPublicKeyInfoPem = 6,

        /// <summary>A master public key: SubjectPublicKeyInfo in DER.</summary>
        SubjectPublicKeyInfoDer = 7,

        /// <summary>A master public key: the point after the byte 04.</summary>
        Uncompressed = 8,

        /// <summary>The number or point of GB/T 41389 in DER.</summary>
        Der = 10,

        /// <summary>A master public key in PEM as GmSSL writes it.</summary>
        GmsslPem = 11,
    }

    /// <summary>The options of encryption with SM9. Decryption needs the same ones, but for the mode in DER, which names it.</summary>
    public sealed class Sm9EncryptionOptions
    {
        /// <summary>How the message is encrypted.</summary>
        public Sm9EncryptionMode Mode { get; set; } = Sm9EncryptionMode.Stream;

        /// <summary>How the ciphertext is authenticated.</summary>
        public Sm9Mac Mac { get; set; } = Sm9Mac.Sm3;

        /// <summary>How the ciphertext is written.</summary>
        public Sm9CiphertextFormat Format { get; set; } = Sm9CiphertextFormat.Der;

        internal static Native.Sm9OptionsNative Of(Sm9EncryptionOptions? options) =>
            options is null ? default : new Native.Sm9OptionsNative { Mode = (int)options.Mode, Mac = (int)options.Mac, Form = (int)options.Format };
    }
}
