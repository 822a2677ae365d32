// Package x509 has certificates, requests and revocation lists with SM2 and SM3 (GM/T 0015), as crypto/x509 has them: the types are those
// of crypto/x509, and so are most names. ParseCertificate also reads what crypto/x509 refuses, a certificate with a key of SM2, whose field
// PublicKey then is a *sm2.PublicKey. CreateCertificate, CreateCertificateRequest and CreateRevocationList sign with SM2, and
// Verify and Verifier verify chains.
//
// crypto/x509 has no numbers for SM2: the fields PublicKeyAlgorithm and SignatureAlgorithm are 0, and its own methods (Certificate.Verify,
// CheckSignature, CheckSignatureFrom) fail for SM2, as they must. Certificate.VerifyHostname and the other methods work.
//
// A private key is a *sm2.PrivateKey, or another crypto.Signer, such as a key in a device: its Public must be a *sm2.PublicKey, or a
// *ecdsa.PublicKey on SM2's curve, and its Sign gets the 32 bytes of SM3(Z, message) and returns a signature in DER or of 64 bytes. Each
// signature is verified before it is given out. All are made under the default identity 1234567812345678, as GM/T 0009 says.
//
// Certificates with other keys are read, too, and so are chains with signatures of RSA and ECDSA verified.
//
// Chains and OCSP need libkuaimi: without cgo, they fail with kuaimi.ErrNeedsLibkuaimi, and the rest works.
package x509

import "crypto/x509"

// The types of crypto/x509, so that a program needs one import.
type (
	// Certificate is that of crypto/x509.
	Certificate = x509.Certificate
	// CertificateRequest is that of crypto/x509.
	CertificateRequest = x509.CertificateRequest
	// RevocationList is that of crypto/x509.
	RevocationList = x509.RevocationList
	// RevocationListEntry is that of crypto/x509.
	RevocationListEntry = x509.RevocationListEntry
	// KeyUsage is that of crypto/x509.
	KeyUsage = x509.KeyUsage
	// ExtKeyUsage is that of crypto/x509.
	ExtKeyUsage = x509.ExtKeyUsage
)

// The usages of crypto/x509. A signing certificate has KeyUsageDigitalSignature and KeyUsageContentCommitment, an encrypting one
// KeyUsageKeyEncipherment, KeyUsageDataEncipherment and KeyUsageKeyAgreement.
const (
	KeyUsageDigitalSignature  = x509.KeyUsageDigitalSignature
	KeyUsageContentCommitment = x509.KeyUsageContentCommitment
	KeyUsageKeyEncipherment   = x509.KeyUsageKeyEncipherment
	KeyUsageDataEncipherment  = x509.KeyUsageDataEncipherment
	KeyUsageKeyAgreement      = x509.KeyUsageKeyAgreement
	KeyUsageCertSign          = x509.KeyUsageCertSign
	KeyUsageCRLSign           = x509.KeyUsageCRLSign

	ExtKeyUsageAny             = x509.ExtKeyUsageAny
	ExtKeyUsageServerAuth      = x509.ExtKeyUsageServerAuth
	ExtKeyUsageClientAuth      = x509.ExtKeyUsageClientAuth
	ExtKeyUsageCodeSigning     = x509.ExtKeyUsageCodeSigning
	ExtKeyUsageEmailProtection = x509.ExtKeyUsageEmailProtection
	ExtKeyUsageTimeStamping    = x509.ExtKeyUsageTimeStamping
	ExtKeyUsageOCSPSigning     = x509.ExtKeyUsageOCSPSigning
)
