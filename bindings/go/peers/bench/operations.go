package main

import (
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/emmansun/gmsm/ecdh"
	gmsm2 "github.com/emmansun/gmsm/sm2"
	gmsm3 "github.com/emmansun/gmsm/sm3"
	gmsm4 "github.com/emmansun/gmsm/sm4"
	gmsm9 "github.com/emmansun/gmsm/sm9"
	tjfoc2 "github.com/tjfoc/gmsm/sm2"
	tjfoc3 "github.com/tjfoc/gmsm/sm3"

	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
	"github.com/kuaimi/kuaimi/bindings/go/sm2"
	"github.com/kuaimi/kuaimi/bindings/go/sm3"
	"github.com/kuaimi/kuaimi/bindings/go/sm4"
	"github.com/kuaimi/kuaimi/bindings/go/sm9"
)

const (
	ours     = "kuaimi"
	emmansun = "emmansun/gmsm"
	tjfoc    = "tjfoc/gmsm"
)

// must is a value without an error.
func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func isTrue(value bool) {
	if !value {
		panic("a right signature was refused")
	}
}

// batchItems is how many items a batch has here.
const batchItems = 1024

func operations() []row {
	return append(append(sm2Operations(), batches()...), others()...)
}

func sm2Operations() []row {
	message := []byte("a short message of a transaction")
	key := must(sm2.GenerateKey())
	public := must(key.PublicKey())
	signer := must(key.SigningKey(nil))
	verifier := must(public.VerifyingKey(nil))
	// Of the two keys, one has a table: keys that make one by themselves would all be the same.
	kuaimi.SetTableLimit(0)
	prepared := must(must(sm2.NewPublicKey(public.Bytes())).VerifyingKey(nil))
	check(prepared.Prepare())
	pool := must(sm2.NewNoncePool(1 << 12))
	for must(pool.Stats()).Ready < 1<<12 {
		time.Sleep(time.Millisecond)
	}
	cache := must(sm2.NewKeyCache(1 << 20))

	theirs := must(new(gmsm2.PrivateKey).FromECPrivateKey(must(key.ToECDSA(gmsm2.P256()))))
	tjfocKey := &tjfoc2.PrivateKey{D: theirs.D}
	tjfocKey.Curve, tjfocKey.X, tjfocKey.Y = tjfoc2.P256Sm2(), theirs.X, theirs.Y

	signature := must(signer.SignMessage(nil, message, nil))
	ciphertext := must(public.Encrypt(message, sm2.CiphertextDER))
	sign := func() { must(signer.SignMessage(nil, message, nil)) }
	verify := func() { check(verifier.Verify(message, signature)) }
	gmsmVerify := func() { isTrue(gmsm2.VerifyASN1WithSM2(&theirs.PublicKey, nil, message, signature)) }
	gmsmSign := func() { must(theirs.SignWithSM2(rand.Reader, nil, message)) }
	tjfocVerify := func() { isTrue(tjfocKey.PublicKey.Verify(message, signature)) }
	tjfocSign := func() { must(tjfocKey.Sign(rand.Reader, message, nil)) }
	both := func(library string, sign func() []byte, verify func([]byte)) entry {
		return entry{library, func() { verify(sign()) }}
	}
	return []row{
		{name: "SM2 sign and verify", items: 1, goal: 25, beside: tjfoc, allocations: 4, entries: []entry{
			both(ours, func() []byte { return must(signer.SignMessage(nil, message, nil)) },
				func(s []byte) { check(verifier.Verify(message, s)) }),
			both(emmansun, func() []byte { return must(theirs.SignWithSM2(rand.Reader, nil, message)) },
				func(s []byte) { isTrue(gmsm2.VerifyASN1WithSM2(&theirs.PublicKey, nil, message, s)) }),
			both(tjfoc, func() []byte { return must(tjfocKey.Sign(rand.Reader, message, nil)) },
				func(s []byte) { isTrue(tjfocKey.PublicKey.Verify(message, s)) }),
		}},
		{name: "SM2 sign", items: 1, goal: 2.3, beside: emmansun, allocations: 2, entries: []entry{
			{ours, sign}, {emmansun, gmsmSign}, {tjfoc, tjfocSign},
		}},
		{name: "SM2 sign, from a pool, its thread too", items: 1, entries: []entry{
			{ours, func() { must(pool.SignMessage(signer, message)) }}, {emmansun, gmsmSign},
		}},
		{name: "SM2 verify, no table", items: 1, goal: 1.4, beside: emmansun, allocations: 2, entries: []entry{
			{ours, verify}, {emmansun, gmsmVerify}, {tjfoc, tjfocVerify},
		}},
		{name: "SM2 verify, prepared key", items: 1, goal: 4.5, beside: emmansun, allocations: 2, entries: []entry{
			{ours, func() { check(prepared.Verify(message, signature)) }}, {emmansun, gmsmVerify},
		}},
		{name: "SM2 verify, cache of keys", items: 1, goal: 4.5, beside: emmansun, allocations: 2, entries: []entry{
			{ours, func() { check(cache.Verify(verifier, message, signature)) }}, {emmansun, gmsmVerify},
		}},
		{name: "SM2 encrypt", items: 1, allocations: 2, entries: []entry{
			{ours, func() { must(public.Encrypt(message, sm2.CiphertextDER)) }},
			{emmansun, func() { must(gmsm2.EncryptASN1(rand.Reader, &theirs.PublicKey, message)) }},
		}},
		{name: "SM2 decrypt", items: 1, allocations: 2, entries: []entry{
			{ours, func() { must(key.Decrypt(nil, ciphertext, sm2.DecrypterOpts{Form: sm2.CiphertextDER})) }},
			{emmansun, func() { must(gmsm2.Decrypt(theirs, ciphertext)) }},
		}},
		{name: "SM2 make a key", items: 1, entries: []entry{
			{ours, func() { must(sm2.GenerateKey()).Close() }},
			{emmansun, func() { must(gmsm2.GenerateKey(rand.Reader)) }},
		}},
	}
}

// batches has many signatures of as many keys, and of a few. Beside them is the other library's loop over the same items.
func batches() []row {
	var rows []row
	for _, keys := range []int{batchItems, 16} {
		toSign := make([]sm2.SignItem, batchItems)
		toVerify := make([]sm2.VerifyItem, batchItems)
		theirs := make([]*ecdsa.PublicKey, batchItems)
		signatures := make([][64]byte, batchItems)
		results := make([]error, batchItems)
		var all []*sm2.PrivateKey
		for range keys {
			all = append(all, must(sm2.GenerateKey()))
		}
		for i := range batchItems {
			key := all[i%keys]
			public := must(key.PublicKey())
			message := fmt.Appendf(nil, "transaction number %d", i)
			toSign[i] = sm2.SignItem{Key: must(key.SigningKey(nil)), Message: message}
			signature := must(toSign[i].Key.SignMessage(nil, message, nil))
			toVerify[i] = sm2.VerifyItem{Key: must(public.VerifyingKey(nil)), Message: message, Signature: signature}
			theirs[i] = must(public.ToECDSA(gmsm2.P256()))
		}
		their := must(new(gmsm2.PrivateKey).FromECPrivateKey(must(all[0].ToECDSA(gmsm2.P256()))))
		name := fmt.Sprintf(", batch of %d, %d keys", batchItems, keys)
		rows = append(rows, row{name: "SM2 verify" + name, items: batchItems, goal: 2.8, withIFMA: 6, beside: emmansun, entries: []entry{
			{ours, func() { check(sm2.VerifyBatch(toVerify, results)) }},
			{emmansun, func() {
				for i := range toVerify {
					isTrue(gmsm2.VerifyASN1WithSM2(theirs[i], nil, toVerify[i].Message, toVerify[i].Signature))
				}
			}},
		}}, row{name: "SM2 sign" + name, items: batchItems, goal: 2.8, withIFMA: 6, beside: emmansun, entries: []entry{
			{ours, func() { check(sm2.SignBatch(toSign, signatures, results)) }},
			{emmansun, func() {
				for i := range toSign {
					must(their.SignWithSM2(rand.Reader, nil, toSign[i].Message))
				}
			}},
		}})
	}
	return append(rows, gcmBatches()...)
}

// gcmBatches has short messages with a key each.
func gcmBatches() []row {
	var rows []row
	for _, length := range []int{64, 1024} {
		toSeal, toOpen := make([]sm4.SealItem, batchItems), make([]sm4.OpenItem, batchItems)
		sealed, opened, results := make([][]byte, batchItems), make([][]byte, batchItems), make([]error, batchItems)
		for i := range batchItems {
			key := make([]byte, 16)
			rand.Read(key)
			toSeal[i] = sm4.SealItem{Key: key, Nonce: make([]byte, 12), Plaintext: make([]byte, length)}
		}
		check(sm4.SealBatch(toSeal, sealed, results))
		for i, item := range toSeal {
			toOpen[i] = sm4.OpenItem{Key: item.Key, Nonce: item.Nonce, Ciphertext: sealed[i]}
		}
		their := func(key []byte) cipher.AEAD { return must(cipher.NewGCM(must(gmsm4.NewCipher(key)))) }
		name := fmt.Sprintf(", %d bytes, a key each", length)
		rows = append(rows, row{name: "SM4-GCM seal" + name, items: batchItems, entries: []entry{
			{ours, func() { check(sm4.SealBatch(toSeal, sealed, results)) }},
			{emmansun, func() {
				for _, item := range toSeal {
					their(item.Key).Seal(nil, item.Nonce, item.Plaintext, nil)
				}
			}},
		}}, row{name: "SM4-GCM open" + name, items: batchItems, entries: []entry{
			{ours, func() { check(sm4.OpenBatch(toOpen, opened, results)) }},
			{emmansun, func() {
				for _, item := range toOpen {
					must(their(item.Key).Open(nil, item.Nonce, item.Ciphertext, nil))
				}
			}},
		}})
	}
	return append(rows, diffieHellmanBatch())
}

func diffieHellmanBatch() row {
	items, secrets, results := make([]sm2.DiffieHellmanItem, batchItems), make([][32]byte, batchItems), make([]error, batchItems)
	ownKeys, peers := make([]*ecdh.PrivateKey, batchItems), make([]*ecdh.PublicKey, batchItems)
	for i := range batchItems {
		own, peer := must(gmsm2.GenerateKey(rand.Reader)), must(gmsm2.GenerateKey(rand.Reader))
		items[i].Key = must(sm2.NewPrivateKeyFromECDSA(&own.PrivateKey))
		items[i].Peer = must(sm2.NewPublicKeyFromECDSA(&peer.PublicKey))
		ownKeys[i], peers[i] = must(own.ECDH()), must(gmsm2.PublicKeyToECDH(&peer.PublicKey))
	}
	return row{name: fmt.Sprintf("SM2 Diffie-Hellman, batch of %d", batchItems), items: batchItems, entries: []entry{
		{ours, func() { check(sm2.DiffieHellmanBatch(items, secrets, results)) }},
		{emmansun, func() {
			for i, key := range ownKeys {
				must(key.ECDH(peers[i]))
			}
		}},
	}}
}

func others() []row {
	short, long := make([]byte, 64), make([]byte, 16<<10)
	key, nonce := make([]byte, 16), make([]byte, 12)
	gcm := must(sm4.NewGCM(key))
	block := must(sm4.NewCipher(key))
	theirBlock := must(gmsm4.NewCipher(key))
	theirGCM := must(cipher.NewGCM(theirBlock))
	sealed := make([]byte, 0, len(long)+16)
	var state [32]byte

	message := []byte("a short message of a transaction")
	id := []byte("alice@example.com")
	master := must(sm9.GenerateMasterSigningKey())
	public := must(master.PublicKey())
	user := must(master.Extract(id, 0))
	verifier := must(public.VerifyingKey(id, 0))
	prepared := must(public.VerifyingKey(id, 0))
	check(prepared.Prepare())
	signature := must(user.SignMessage(nil, message, nil))
	theirPublic := must(gmsm9.UnmarshalSignMasterPublicKeyRaw(must(public.Bytes())))
	theirUser := must(gmsm9.UnmarshalSignPrivateKeyRaw(append([]byte{4}, must(user.Bytes())...)))
	theirUser.SetMasterPublic(theirPublic)
	theirVerify := func() { isTrue(gmsm9.VerifyASN1(theirPublic, id, 1, message, signature)) }
	return []row{
		{name: "SM9 verify, no table", items: 1, goal: 2.2, beside: emmansun, allocations: 2, entries: []entry{
			{ours, func() { check(verifier.Verify(message, signature)) }}, {emmansun, theirVerify},
		}},
		{name: "SM9 verify, prepared identity", items: 1, entries: []entry{
			{ours, func() { check(prepared.Verify(message, signature)) }}, {emmansun, theirVerify},
		}},
		{name: "SM9 sign", items: 1, allocations: 2, entries: []entry{
			{ours, func() { must(user.SignMessage(nil, message, nil)) }},
			{emmansun, func() { must(gmsm9.SignASN1(rand.Reader, theirUser, message)) }},
		}},
		{name: "SM3, 64 bytes", items: 1, entries: []entry{
			{ours, func() { sm3.Sum(short) }}, {emmansun, func() { gmsm3.Sum(short) }}, {tjfoc, func() { tjfoc3.Sm3Sum(short) }},
		}},
		{name: "SM3, New, Write, Sum of 64 bytes", items: 1, allocations: 2, entries: []entry{
			{ours, func() { h := sm3.New(); h.Write(short); h.Sum(nil) }},
			{emmansun, func() { h := gmsm3.New(); h.Write(short); h.Sum(nil) }},
		}},
		{name: "SM3, 16 KiB", items: 1, entries: []entry{
			{ours, func() { sm3.Sum(long) }}, {emmansun, func() { gmsm3.Sum(long) }}, {tjfoc, func() { tjfoc3.Sm3Sum(long) }},
		}},
		{name: "SM4, one block", items: 1, entries: []entry{
			{ours, func() { block.Encrypt(short, short) }}, {emmansun, func() { theirBlock.Encrypt(short, short) }},
		}},
		{name: "SM4-GCM, 64 bytes", items: 1, entries: []entry{
			{ours, func() { gcm.Seal(sealed, nonce, short, nil) }}, {emmansun, func() { theirGCM.Seal(sealed, nonce, short, nil) }},
		}},
		{name: "SM4-GCM, 16 KiB", items: 1, entries: []entry{
			{ours, func() { gcm.Seal(sealed, nonce, long, nil) }}, {emmansun, func() { theirGCM.Seal(sealed, nonce, long, nil) }},
		}},
		{name: "a call into C that does nothing", items: 1, entries: []entry{
			{ours, func() { core.SM3Compress(&state, nil) }},
		}},
	}
}
