//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

// The functions of this package, which an Implementation computes.

package core

func SM3Sum(data []byte, digest *[32]byte)        { implementation().SM3Sum(data, digest) }
func SM3Compress(state *[32]byte, blocks []byte)  { implementation().SM3Compress(state, blocks) }
func SM3KDF(secret, out []byte) Code              { return implementation().SM3KDF(secret, out) }
func HMACSum(key, data []byte, mac *[32]byte)     { implementation().HMACSum(key, data, mac) }
func HMACNew(key []byte) (*Handle, Code)          { return implementation().HMACNew(key) }
func HMACClone(hmac *Handle) (*Handle, Code)      { return implementation().HMACClone(hmac) }
func HMACUpdate(hmac *Handle, data []byte) Code   { return implementation().HMACUpdate(hmac, data) }
func HMACFinish(hmac *Handle, mac *[32]byte) Code { return implementation().HMACFinish(hmac, mac) }
func SM3SumBatch(n int, message func(int) []byte, done func(item int, digest []byte)) Code {
	return implementation().SM3SumBatch(n, message, done)
}
func SecretNew(secret []byte) *Handle    { return implementation().SecretNew(secret) }
func SM4New(key *Handle) (*Handle, Code) { return implementation().SM4New(key) }
func SM4Blocks(cipher *Handle, decrypt bool, dst, src []byte) Code {
	return implementation().SM4Blocks(cipher, decrypt, dst, src)
}
func SM4CBCNew(key *Handle) (*Handle, Code) { return implementation().SM4CBCNew(key) }
func SM4CBC(cipher *Handle, decrypt bool, iv *[16]byte, dst, src []byte) Code {
	return implementation().SM4CBC(cipher, decrypt, iv, dst, src)
}
func SM4CTRNew(key *Handle, iv *[16]byte) (*Handle, Code) { return implementation().SM4CTRNew(key, iv) }
func SM4CTR(stream *Handle, dst, src []byte) Code         { return implementation().SM4CTR(stream, dst, src) }
func SM4GCMNew(key *Handle) (*Handle, Code)               { return implementation().SM4GCMNew(key) }
func SM4GCMSeal(cipher *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code {
	return implementation().SM4GCMSeal(cipher, nonce, beside, src, dst, tag)
}
func SM4GCMOpen(cipher *Handle, nonce, beside, src, dst []byte, tag *[16]byte) Code {
	return implementation().SM4GCMOpen(cipher, nonce, beside, src, dst, tag)
}
func SM4GCMSealBatch(n int, item func(int) GCMItem, done func(item int, code Code, sealed []byte)) {
	implementation().SM4GCMSealBatch(n, item, done)
}
func SM4GCMOpenBatch(n int, item func(int) GCMItem, done func(item int, code Code, opened []byte)) {
	implementation().SM4GCMOpenBatch(n, item, done)
}
func SM4XTSNew(key []byte, ieee bool) (*Handle, Code) { return implementation().SM4XTSNew(key, ieee) }
func SM4XTS(cipher *Handle, decrypt bool, tweak *[16]byte, dst, src []byte) Code {
	return implementation().SM4XTS(cipher, decrypt, tweak, dst, src)
}
func SM2Generate() (*Handle, Code) { return implementation().SM2Generate() }
func SM2PrivateFromBytes(number []byte) (*Handle, Code) {
	return implementation().SM2PrivateFromBytes(number)
}
func SM2PrivateRead(data, password []byte) (*Handle, Code) {
	return implementation().SM2PrivateRead(data, password)
}
func SM2PrivateOpen(recipient *Handle, data []byte) (*Handle, Code) {
	return implementation().SM2PrivateOpen(recipient, data)
}
func SM2PrivateWrite(key *Handle, form KeyForm) ([]byte, Code) {
	return implementation().SM2PrivateWrite(key, form)
}
func SM2PrivateWriteEncrypted(key *Handle, password []byte, form KeyForm) ([]byte, Code) {
	return implementation().SM2PrivateWriteEncrypted(key, password, form)
}
func SM2PrivateSeal(key, recipient *Handle) ([]byte, Code) {
	return implementation().SM2PrivateSeal(key, recipient)
}
func SM2PublicOf(key *Handle) (*Handle, Code) { return implementation().SM2PublicOf(key) }
func SM2PublicFromBytes(point []byte) (*Handle, Code) {
	return implementation().SM2PublicFromBytes(point)
}
func SM2PublicRead(data []byte) (*Handle, Code) { return implementation().SM2PublicRead(data) }
func SM2PublicPrepare(key *Handle) Code         { return implementation().SM2PublicPrepare(key) }
func SM2PublicWrite(key *Handle, form KeyForm) ([]byte, Code) {
	return implementation().SM2PublicWrite(key, form)
}
func SM2Z(key *Handle, id []byte, z *[32]byte) Code { return implementation().SM2Z(key, id, z) }
func SM2SigningNew(key *Handle, id []byte) (*Handle, Code) {
	return implementation().SM2SigningNew(key, id)
}
func SM2VerifyingNew(key *Handle, id []byte) (*Handle, Code) {
	return implementation().SM2VerifyingNew(key, id)
}
func SM2VerifyingPrepare(key *Handle) Code { return implementation().SM2VerifyingPrepare(key) }
func SM2PrivateExplain(data, password []byte) string {
	return implementation().SM2PrivateExplain(data, password)
}
func SM2PublicExplain(data []byte) string { return implementation().SM2PublicExplain(data) }
func SM2Recover(digest *[32]byte, form Form, signature []byte, id byte) (*Handle, Code) {
	return implementation().SM2Recover(digest, form, signature, id)
}
func SM2Sign(key *Handle, message []byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	return implementation().SM2Sign(key, message, deterministic, form, out)
}
func SM2SignDigest(key *Handle, digest *[32]byte, deterministic bool, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	return implementation().SM2SignDigest(key, digest, deterministic, form, out)
}
func SM2SignRecoverable(key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (length int, id byte, code Code) {
	return implementation().SM2SignRecoverable(key, digest, form, out)
}
func SM2Verify(key *Handle, message []byte, form Form, signature []byte) Code {
	return implementation().SM2Verify(key, message, form, signature)
}
func SM2VerifyDigest(key *Handle, digest *[32]byte, form Form, signature []byte) Code {
	return implementation().SM2VerifyDigest(key, digest, form, signature)
}
func SM2SignatureConvert(signature []byte, from, to Form, out *[SM2SignatureMax]byte) (int, Code) {
	return implementation().SM2SignatureConvert(signature, from, to, out)
}
func SM2CacheNew(capacity int) (*Handle, Code) { return implementation().SM2CacheNew(capacity) }
func SM2CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code {
	return implementation().SM2CacheVerify(cache, key, message, form, signature)
}
func SM2CacheVerifyDigest(cache, key *Handle, digest *[32]byte, form Form, signature []byte) Code {
	return implementation().SM2CacheVerifyDigest(cache, key, digest, form, signature)
}
func SM2CacheStats(cache *Handle) (CacheStats, Code) { return implementation().SM2CacheStats(cache) }
func SM2CacheClear(cache *Handle) Code               { return implementation().SM2CacheClear(cache) }
func SM2PoolNew(capacity int) (*Handle, Code)        { return implementation().SM2PoolNew(capacity) }
func SM2PoolSign(pool, key *Handle, message []byte, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	return implementation().SM2PoolSign(pool, key, message, form, out)
}
func SM2PoolSignDigest(pool, key *Handle, digest *[32]byte, form Form, out *[SM2SignatureMax]byte) (int, Code) {
	return implementation().SM2PoolSignDigest(pool, key, digest, form, out)
}
func SM2PoolStats(pool *Handle) (PoolStats, Code) { return implementation().SM2PoolStats(pool) }
func SM2SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte)) {
	implementation().SM2SignBatch(n, item, done)
}
func SM2VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code {
	return implementation().SM2VerifyBatch(cache, n, item, done)
}
func SM2Explain(key *Handle, id, message []byte, form Form, signature []byte) (string, Code) {
	return implementation().SM2Explain(key, id, message, form, signature)
}
func SM2Encrypt(key *Handle, message []byte, form CiphertextForm, out []byte) (int, Code) {
	return implementation().SM2Encrypt(key, message, form, out)
}
func SM2Decrypt(key *Handle, ciphertext []byte, form CiphertextForm, out []byte) (int, Code) {
	return implementation().SM2Decrypt(key, ciphertext, form, out)
}
func SM2CiphertextConvert(ciphertext []byte, from, to CiphertextForm) ([]byte, Code) {
	return implementation().SM2CiphertextConvert(ciphertext, from, to)
}
func SM2ExchangeStart(key *Handle, id []byte, peer *Handle, peerID []byte, length int, point *[PointSize]byte) (*Handle, Code) {
	return implementation().SM2ExchangeStart(key, id, peer, peerID, length, point)
}
func SM2ExchangeRespond(key *Handle, id []byte, peer *Handle, peerID, initiatorPoint []byte, length int, point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code) {
	return implementation().SM2ExchangeRespond(key, id, peer, peerID, initiatorPoint, length, point, confirmation)
}
func SM2InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code {
	return implementation().SM2InitiatorFinish(initiator, point, confirmation, shared, own)
}
func SM2DiffieHellmanBatch(n int, item func(int) PairItem, done func(item int, code Code, secret []byte)) {
	implementation().SM2DiffieHellmanBatch(n, item, done)
}
func SM2RespondBatch(n, length int, item func(int) RespondItem, done func(item int, code Code, response *Handle, point, confirmation []byte)) {
	implementation().SM2RespondBatch(n, length, item, done)
}
func SM2ResponseConfirm(response *Handle, confirmation, shared []byte) Code {
	return implementation().SM2ResponseConfirm(response, confirmation, shared)
}
func SM9MasterGenerate(kind SM9Kind) (*Handle, Code) { return implementation().SM9MasterGenerate(kind) }
func SM9MasterFromBytes(kind SM9Kind, number []byte) (*Handle, Code) {
	return implementation().SM9MasterFromBytes(kind, number)
}
func SM9MasterRead(kind SM9Kind, data, password []byte) (*Handle, Code) {
	return implementation().SM9MasterRead(kind, data, password)
}
func SM9MasterWrite(kind SM9Kind, key *Handle, form KeyForm) ([]byte, Code) {
	return implementation().SM9MasterWrite(kind, key, form)
}
func SM9MasterWriteEncrypted(kind SM9Kind, key *Handle, password []byte, form KeyForm) ([]byte, Code) {
	return implementation().SM9MasterWriteEncrypted(kind, key, password, form)
}
func SM9MasterPublicOf(kind SM9Kind, key *Handle) (*Handle, Code) {
	return implementation().SM9MasterPublicOf(kind, key)
}
func SM9MasterPublicFromBytes(kind SM9Kind, point []byte) (*Handle, Code) {
	return implementation().SM9MasterPublicFromBytes(kind, point)
}
func SM9MasterPublicRead(kind SM9Kind, data []byte) (*Handle, Code) {
	return implementation().SM9MasterPublicRead(kind, data)
}
func SM9MasterPublicWrite(kind SM9Kind, key *Handle, form KeyForm) ([]byte, Code) {
	return implementation().SM9MasterPublicWrite(kind, key, form)
}
func SM9Extract(kind UserKind, master *Handle, id []byte, hid byte) (*Handle, Code) {
	return implementation().SM9Extract(kind, master, id, hid)
}
func SM9UserFromBytes(kind UserKind, point, id []byte, hid byte, master *Handle) (*Handle, Code) {
	return implementation().SM9UserFromBytes(kind, point, id, hid, master)
}
func SM9UserRead(kind UserKind, data, password, id []byte, hid byte) (*Handle, Code) {
	return implementation().SM9UserRead(kind, data, password, id, hid)
}
func SM9UserPrepare(kind UserKind, key *Handle) Code {
	return implementation().SM9UserPrepare(kind, key)
}
func SM9UserWrite(kind UserKind, key *Handle, form KeyForm) ([]byte, Code) {
	return implementation().SM9UserWrite(kind, key, form)
}
func SM9UserWriteEncrypted(kind UserKind, key *Handle, password []byte, form KeyForm) ([]byte, Code) {
	return implementation().SM9UserWriteEncrypted(kind, key, password, form)
}
func SM9VerifyingNew(master *Handle, id []byte, hid byte) (*Handle, Code) {
	return implementation().SM9VerifyingNew(master, id, hid)
}
func SM9VerifyingPrepare(key *Handle) Code { return implementation().SM9VerifyingPrepare(key) }
func SM9EncryptionNew(master *Handle, id []byte, hid byte) (*Handle, Code) {
	return implementation().SM9EncryptionNew(master, id, hid)
}
func SM9EncryptionPrepare(key *Handle) Code {
	return implementation().SM9EncryptionPrepare(key)
}
func SM9SignBatch(n int, item func(int) SignItem, done func(item int, code Code, signature []byte)) {
	implementation().SM9SignBatch(n, item, done)
}
func SM9VerifyBatch(cache *Handle, n int, item func(int) VerifyItem, done func(item int, code Code)) Code {
	return implementation().SM9VerifyBatch(cache, n, item, done)
}
func SM9Sign(key *Handle, message []byte, form Form, out *[SM9SignatureMax]byte) (int, Code) {
	return implementation().SM9Sign(key, message, form, out)
}
func SM9Verify(key *Handle, message []byte, form Form, signature []byte) Code {
	return implementation().SM9Verify(key, message, form, signature)
}
func SM9CacheNew(master *Handle, capacity int) (*Handle, Code) {
	return implementation().SM9CacheNew(master, capacity)
}
func SM9CacheVerify(cache, key *Handle, message []byte, form Form, signature []byte) Code {
	return implementation().SM9CacheVerify(cache, key, message, form, signature)
}
func SM9CacheStats(cache *Handle) (CacheStats, Code) { return implementation().SM9CacheStats(cache) }
func SM9CacheClear(cache *Handle) Code               { return implementation().SM9CacheClear(cache) }
func SM9Encrypt(key *Handle, message, out []byte) (int, Code) {
	return implementation().SM9Encrypt(key, message, out)
}
func SM9Decrypt(key *Handle, ciphertext, out []byte) (int, Code) {
	return implementation().SM9Decrypt(key, ciphertext, out)
}
func SM9Encapsulate(key *Handle, derived []byte, point *[PointSize]byte) Code {
	return implementation().SM9Encapsulate(key, derived, point)
}
func SM9Decapsulate(key *Handle, point, derived []byte) Code {
	return implementation().SM9Decapsulate(key, point, derived)
}
func SM9ExchangeStart(key *Handle, peerID []byte, peerHID byte, length int, point *[PointSize]byte) (*Handle, Code) {
	return implementation().SM9ExchangeStart(key, peerID, peerHID, length, point)
}
func SM9ExchangeRespond(key *Handle, peerID []byte, peerHID byte, initiatorPoint []byte, length int, point *[PointSize]byte, confirmation *[32]byte) (*Handle, Code) {
	return implementation().SM9ExchangeRespond(key, peerID, peerHID, initiatorPoint, length, point, confirmation)
}
func SM9InitiatorFinish(initiator *Handle, point, confirmation, shared []byte, own *[32]byte) Code {
	return implementation().SM9InitiatorFinish(initiator, point, confirmation, shared, own)
}
func SM9ResponseConfirm(response *Handle, confirmation, shared []byte) Code {
	return implementation().SM9ResponseConfirm(response, confirmation, shared)
}
