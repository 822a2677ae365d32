//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

// What libkuaimi alone has: certificates' chains, messages, and files with keys and certificates.

package core

func CertificateRead([]byte) (*Handle, Code)                      { return nil, NeedsLibkuaimi }
func VerifierNew() (*Handle, Code)                                { return nil, NeedsLibkuaimi }
func VerifierAddAnchor(_, _ *Handle) Code                         { return NeedsLibkuaimi }
func VerifierAddIntermediate(_, _ *Handle) Code                   { return NeedsLibkuaimi }
func VerifierAddCRL(*Handle, []byte) Code                         { return NeedsLibkuaimi }
func VerifierAddOCSP(*Handle, []byte) Code                        { return NeedsLibkuaimi }
func VerifierVerify(*Handle, []Chain, Policy) ([]Verdict, Code)   { return nil, NeedsLibkuaimi }
func OCSPRequest(_, _ *Handle, _ []byte, _ uint32) ([]byte, Code) { return nil, NeedsLibkuaimi }
func OCSPCheck(_, _ *Handle, _, _ []byte, _ uint32, _ uint64) (OCSPAnswer, Code) {
	return OCSPAnswer{}, NeedsLibkuaimi
}
func CMSSigningNew(_, _ []*Handle, _ CMSSignOptions) (*Handle, Code) { return nil, NeedsLibkuaimi }
func CMSSigningUpdate(*Handle, []byte) Code                          { return NeedsLibkuaimi }
func CMSSigningDigest(*Handle, int) ([32]byte, Code)                 { return [32]byte{}, NeedsLibkuaimi }
func CMSSigningPut(*Handle, []byte, int) Code                        { return NeedsLibkuaimi }
func CMSSigningFinish(*Handle) ([]byte, Code)                        { return nil, NeedsLibkuaimi }
func CMSVerify([]*Handle, []byte, uint32) (*CMSMessage, Code)        { return nil, NeedsLibkuaimi }
func CMSDetachedNew([]*Handle, []byte, uint32) (*Handle, Code)       { return nil, NeedsLibkuaimi }
func CMSDetachedUpdate(*Handle, []byte) Code                         { return NeedsLibkuaimi }
func CMSDetachedFinish(*Handle) (*CMSMessage, Code)                  { return nil, NeedsLibkuaimi }
func CMSEncryptionNew([]*Handle, uint32, uint32, bool, uint64) (*Handle, Code) {
	return nil, NeedsLibkuaimi
}
func CMSEncryptionUpdate(*Handle, []byte) ([]byte, Code) { return nil, NeedsLibkuaimi }
func CMSEncryptionFinish(*Handle) ([]byte, Code)         { return nil, NeedsLibkuaimi }
func CMSDecrypt(_, _ *Handle, _ []byte) ([]byte, Code)   { return nil, NeedsLibkuaimi }
func PKCS12Read(_, _ []byte) ([]PKCS12Key, Code)         { return nil, NeedsLibkuaimi }
func PKCS12Write(_, _, _ []*Handle, _ []byte, _ uint32) ([]byte, Code) {
	return nil, NeedsLibkuaimi
}
func CFCAReadKeyFile(_, _ []byte) (*Handle, []byte, Code)    { return nil, nil, NeedsLibkuaimi }
func CFCAWriteKeyFile(_, _ *Handle, _ []byte) ([]byte, Code) { return nil, NeedsLibkuaimi }
func CFCAOpenReturnedKey(*Handle, []byte) (*Handle, Code)    { return nil, NeedsLibkuaimi }
