// .NET's choices for the encryption of a private key, as the C library's.

using System;
using System.Security.Cryptography;

namespace Kuaimi.Native
{
    internal static class Encryption
    {
        private const int Sm4Cbc = 1;
        private const int Aes128Cbc = 2;
        private const int Aes192Cbc = 3;
        private const int Aes256Cbc = 4;

        internal static PasswordEncryption Of(PbeParameters parameters)
        {
            Arguments.NotNull(parameters, "pbeParameters");
            return new PasswordEncryption
            {
                Cipher = Cipher(parameters.EncryptionAlgorithm),
                Kdf = Kdf(parameters.HashAlgorithm),
                Iterations = (uint)parameters.IterationCount,
            };
        }

        internal static PasswordEncryption Default => new PasswordEncryption { Cipher = Sm4Cbc, Kdf = 1, Iterations = 600_000 };

        private static int Cipher(PbeEncryptionAlgorithm algorithm)
        {
            switch (algorithm)
            {
                case PbeEncryptionAlgorithm.Aes128Cbc:
                    return Aes128Cbc;
                case PbeEncryptionAlgorithm.Aes192Cbc:
                    return Aes192Cbc;
                case PbeEncryptionAlgorithm.Aes256Cbc:
                    return Aes256Cbc;
                default:
                    throw new CryptographicException($"keys are encrypted with AES-CBC or SM4-CBC: {algorithm} is not supported");
            }
        }

        private static int Kdf(HashAlgorithmName hash)
        {
            switch (hash.Name)
            {
                case "SM3":
                    return 1;
                case "SHA1":
                    return 2;
                case "SHA256":
                    return 4;
                case "SHA384":
                    return 5;
                case "SHA512":
                    return 6;
                default:
                    throw new CryptographicException($"PBKDF2 is computed with SM3, SHA1, SHA256, SHA384 or SHA512: {hash.Name} is not supported");
            }
        }
    }
}
