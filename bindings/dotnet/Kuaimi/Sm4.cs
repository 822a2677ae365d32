using System;
using System.Security.Cryptography;

namespace Kuaimi
{
    /// <summary>
    /// The block cipher SM4 (GB/T 32907-2016) with the shape of <see cref="Aes"/>: CBC and ECB, for <see cref="CryptoStream"/> and others. These modes do
    /// not detect altered data: take <see cref="Sm4Gcm"/> if you can choose. <see cref="Sm4Ctr"/> is the counter mode.
    /// </summary>
    public sealed class Sm4 : SymmetricAlgorithm
    {
        /// <summary>A cipher without a key yet: CBC with PKCS#7 padding.</summary>
        public Sm4()
        {
            LegalBlockSizesValue = new[] { new KeySizes(128, 128, 0) };
            LegalKeySizesValue = new[] { new KeySizes(128, 128, 0) };
            BlockSizeValue = 128;
            FeedbackSizeValue = 128;
            KeySizeValue = 128;
        }

        /// <summary>A cipher without a key yet: CBC with PKCS#7 padding.</summary>
        /// <returns>The new cipher.</returns>
        public static new Sm4 Create() => new Sm4();

        /// <inheritdoc/>
        public override void GenerateKey()
        {
            var key = new byte[16];
            RandomNumberGenerator.Fill(key);
            if (KeyValue != null)
            {
                CryptographicOperations.ZeroMemory(KeyValue);
            }
            KeyValue = key;
        }

        /// <inheritdoc/>
        public override void GenerateIV()
        {
            var iv = new byte[16];
            RandomNumberGenerator.Fill(iv);
            IVValue = iv;
        }

        /// <summary>An encryptor for one message after another.</summary>
        /// <param name="rgbKey">The key, 16 bytes; not null.</param>
        /// <param name="rgbIV">The initialization vector, 16 bytes; it is not used in ECB, and may be null there.</param>
        /// <returns>The encryptor. It has its own copy of the key.</returns>
        /// <exception cref="CryptographicException">The mode or the padding is not supported.</exception>
        public override ICryptoTransform CreateEncryptor(byte[] rgbKey, byte[]? rgbIV) => Transform(rgbKey, rgbIV, encrypt: true);

        /// <summary>A decryptor for one message after another. Wrong padding and a wrong length are one error.</summary>
        /// <param name="rgbKey">The key, 16 bytes; not null.</param>
        /// <param name="rgbIV">The initialization vector, 16 bytes; it is not used in ECB, and may be null there.</param>
        /// <returns>The decryptor. It has its own copy of the key.</returns>
        /// <exception cref="CryptographicException">The mode or the padding is not supported.</exception>
        public override ICryptoTransform CreateDecryptor(byte[] rgbKey, byte[]? rgbIV) => Transform(rgbKey, rgbIV, encrypt: false);

        private Sm4Transform Transform(byte[] key, byte[]? iv, bool encrypt)
        {
            Arguments.Length(Arguments.NotNull(key, "rgbKey").Length, 16, "rgbKey");
            if (Mode != CipherMode.CBC && Mode != CipherMode.ECB)
            {
                throw new CryptographicException($"SM4 has the modes CBC and ECB here, and Sm4Gcm, Sm4Ccm and Sm4Ctr: {Mode} is not supported");
            }
            if (Padding != PaddingMode.PKCS7 && Padding != PaddingMode.None && Padding != PaddingMode.Zeros)
            {
                throw new CryptographicException($"SM4 has the paddings PKCS7, Zeros and None: {Padding} is not supported");
            }
            if (Mode == CipherMode.ECB)
            {
                return new Sm4Transform(key, null, Padding, encrypt);
            }
            if (iv is null)
            {
                throw new ArgumentNullException("rgbIV", "CBC needs an initialization vector");
            }
            Arguments.Length(iv.Length, 16, "rgbIV");
            return new Sm4Transform(key, iv, Padding, encrypt);
        }
    }
}
