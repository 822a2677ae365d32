//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package core

import _ "unsafe" // for go:linkname

// An Implementation has the functions of this package, which are documented where libkuaimi computes (files *_c.go).
type Implementation interface {
	// Backend names what computes.
	Backend() string

	// SM3 and HMAC.
	SM3Sum(data []byte, digest *[32]byte)
	SM3Compress(state *[32]byte, blocks []byte)
	SM3KDF(secret, out []byte) Code
	HMACSum(key, data []byte, mac *[32]byte)
	HMACNew(key []byte) (*Handle, Code)
	HMACClone(hmac *Handle) (*Handle, Code)
	HMACUpdate(hmac *Handle, data []byte) Code
	HMACFinish(hmac *Handle, mac *[32]byte) Code
	SM3SumBatch(n int, message func(int) []byte, done func(item int, digest []byte)) Code

	// SM4.
	SecretNew(secret []byte) *Handle
	SM4New(key *Handle) (*Handle, Code)
	SM4Blocks(cipher *Handle, decrypt bool, dst, src []byte) Code
	SM4CBCNew(key *Handle) (*Handle, Code)
	SM4CBC(cipher *Handle, decrypt bool, iv *[16]byte, dst, src []byte) Code
	SM4CTRNew(key *Handle, iv *[16]byte) (*Handle, Code)
	SM4CTR(stream *Handle, dst, src []byte) Code
	SM4GCMNew(key *Handle) (*Handle, Code)
	SM4GCMSeal(cipher *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code
	SM4GCMOpen(cipher *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code
	SM4GCMSealBatch(n int, item func(int) GCMItem, done func(item int, code Code, sealed []byte))
	SM4GCMOpenBatch(n int, item func(int) GCMItem, done func(item int, code Code, opened []byte))
	SM4XTSNew(key []byte, ieee bool) (*Handle, Code)
	SM4XTS(cipher *Handle, decrypt bool, tweak *[16]byte, dst, src []byte) Code

	// Keys of SM2.
	SM2Generate() (*Handle, Code)
	SM2PrivateFromBytes(number []byte) (*Handle, Code)
	SM2PrivateRead(data, password []byte) (*Handle, Code)
	SM2PrivateOpen(recipient *Handle, data []byte) (*Handle, Code)
	SM2PrivateWrite(key *Handle, form KeyForm) ([]byte, Code)
	SM2PrivateWriteEncrypted(key *Handle, password []byte, form KeyForm) ([]byte, Code)
	SM2PrivateSeal(key, recipient *Handle) ([]byte, Code)
	SM2PublicOf(key *Handle) (*Handle, Code)
	SM2PublicFromBytes(point []byte) (*Handle, Code)
	SM2PublicRead(data []byte) (*Handle, Code)
	SM2PublicPrepare(key *Handle) Code
	SM2PublicWrite(key *Handle, form KeyForm) ([]byte, Code)
	SM2Z(key *Handle, id []byte, z *[32]byte) Code
	SM2SigningNew(key *Handle, id []byte) (*Handle, Code)
	SM2VerifyingNew(key *Handle, id []byte) (*Handle, Code)
	SM2VerifyingPrepare(key *Handle) Code
	SM2PrivateExplain(data, password []byte) string
	SM2PublicExplain(data []byte) string

	// SM2's signatures.
	SM2Recover(digest *[32]byte, form Form, signature []byte, id byte) (*Handle, Code)
	SM2Sign(key *Handle, message []byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code)
	SM2SignDigest(key *Handle, digest *[32]byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code)
	SM2SignRecoverable(key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (length int, id byte, code Code)
	SM2Verify(key *Handle, message []byte, form Form, signature []byte) Code
	SM2VerifyDigest(key *Handle, digest *[32]byte, form Form, signature []byte) Code
	SM2SignatureConvert(signature []byte, from, to Form, out *[SM2SignatureMax]byte) (int, Code)
	SM2CacheNew(capacity int) (*Handle, Code)
	SM2CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code
	SM2CacheVerifyDigest(cache, key *Handle, digest *[32]byte, form Form, signature []byte) Code
	SM2CacheStats(cache *Handle) (CacheStats, Code)
	SM2CacheClear(cache *Handle) Code
	SM2PoolNew(capacity int) (*Handle, Code)
	SM2PoolSign(pool, key *Handle, message []byte, form Form, out *[SM2SignatureMax]byte) (int, Code)
	SM2PoolSignDigest(pool, key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (int, Code)
	SM2PoolStats(pool *Handle) (PoolStats, Code)
	SM2SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte))
	SM2VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code
	SM2Explain(key *Handle, id, message []byte, form Form, signature []byte) (string, Code)

	// SM2's encryption and key exchange.
	SM2Encrypt(key *Handle, message []byte, form CiphertextForm, out []byte) (int, Code)
	SM2Decrypt(key *Handle, ciphertext []byte, form CiphertextForm, out []byte) (int, Code)
	SM2CiphertextConvert(ciphertext []byte, from, to CiphertextForm) ([]byte, Code)
	SM2ExchangeStart(key *Handle, id []byte, peer *Handle, peerID []byte, length int, point *[PointSize]byte) (*Handle, Code)
	SM2ExchangeRespond(key *Handle, id []byte, peer *Handle, peerID, initiatorPoint []byte, length int, point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code)
	SM2InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code
	SM2DiffieHellmanBatch(n int, item func(int) PairItem, done func(item int, code Code, secret []byte))
	SM2RespondBatch(n, length int, item func(int) RespondItem, done func(item int, code Code, response *Handle, point, confirmation []byte))
	SM2ResponseConfirm(response *Handle, confirmation, shared []byte) Code

	// Keys of SM9.
	SM9MasterGenerate(kind SM9Kind) (*Handle, Code)
	SM9MasterFromBytes(kind SM9Kind, number []byte) (*Handle, Code)
	SM9MasterRead(kind SM9Kind, data, password []byte) (*Handle, Code)
	SM9MasterWrite(kind SM9Kind, key *Handle, form KeyForm) ([]byte, Code)
	SM9MasterWriteEncrypted(kind SM9Kind, key *Handle, password []byte, form KeyForm) ([]byte, Code)
	SM9MasterPublicOf(kind SM9Kind, key *Handle) (*Handle, Code)
	SM9MasterPublicFromBytes(kind SM9Kind, point []byte) (*Handle, Code)
	SM9MasterPublicRead(kind SM9Kind, data []byte) (*Handle, Code)
	SM9MasterPublicWrite(kind SM9Kind, key *Handle, form KeyForm) ([]byte, Code)
	SM9Extract(kind UserKind, master *Handle, id []byte, hid byte) (*Handle, Code)
	SM9UserFromBytes(kind UserKind, point, id []byte, hid byte, master *Handle) (*Handle, Code)
	SM9UserRead(kind UserKind, data, password, id []byte, hid byte) (*Handle, Code)
	SM9UserPrepare(kind UserKind, key *Handle) Code
	SM9UserWrite(kind UserKind, key *Handle, form KeyForm) ([]byte, Code)
	SM9UserWriteEncrypted(kind UserKind, key *Handle, password []byte, form KeyForm) ([]byte, Code)
	SM9VerifyingNew(master *Handle, id []byte, hid byte) (*Handle, Code)
	SM9VerifyingPrepare(key *Handle) Code
	SM9EncryptionNew(master *Handle, id []byte, hid byte) (*Handle, Code)
	SM9EncryptionPrepare(key *Handle) Code

	// SM9's signatures, encryption and key exchange.
	SM9SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte))
	SM9VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code
	SM9Sign(key *Handle, message []byte, form Form, out *[SM9SignatureMax]byte) (int, Code)
	SM9Verify(key *Handle, message []byte, form Form, signature []byte) Code
	SM9CacheNew(master *Handle, capacity int) (*Handle, Code)
	SM9CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code
	SM9CacheStats(cache *Handle) (CacheStats, Code)
	SM9CacheClear(cache *Handle) Code
	SM9Encrypt(key *Handle, message, out []byte) (int, Code)
	SM9Decrypt(key *Handle, ciphertext, out []byte) (int, Code)
	SM9Encapsulate(key *Handle, derived []byte, point *[PointSize]byte) Code
	SM9Decapsulate(key *Handle, point, derived []byte) Code
	SM9ExchangeStart(key *Handle, peerID []byte, peerHID byte, length int, point *[PointSize]byte) (*Handle, Code)
	SM9ExchangeRespond(key *Handle, peerID []byte, peerHID byte, initiatorPoint []byte, length int, point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code)
	SM9InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code
	SM9ResponseConfirm(response *Handle, confirmation, shared []byte) Code
}

// Without cgo, another module must compute. It defines this function, under the name that is given here. The linker prints this name for a
// program that does not import the module, so the name says what to do.
//
//go:linkname chosen libkuaimi_needs_CGO_ENABLED=1,_a_C_compiler,_no_tag_purego,_and_linux_or_darwin_on_amd64_or_arm64;_to_compute_with_gmsm_instead,_import_"github.com/kuaimi/kuaimi/bindings/go/gmsm"_(see_docs/go.md)
func chosen()

func init() { chosen() }

var registered Implementation

// Register makes an implementation compute. The package that has it calls this while it is initialised.
func Register(i Implementation) { registered = i }

func implementation() Implementation {
	if registered == nil {
		panic("kuaimi: a package that calls Kuaimi while it is initialised must itself import github.com/kuaimi/kuaimi/bindings/go/gmsm")
	}
	return registered
}
