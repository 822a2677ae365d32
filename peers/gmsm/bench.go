package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
)

// measurement is one line of the output. Condition says in words what an operation includes.
type measurement struct {
	Name         string  `json:"name"`
	Algorithm    string  `json:"algorithm"`
	Operation    string  `json:"operation"`
	Condition    string  `json:"condition"`
	Bytes        int     `json:"bytes,omitempty"`
	Operations   int     `json:"operations"`
	OpsPerSecond float64 `json:"ops_per_second"`
	NsPerOp      float64 `json:"ns_per_op"`
}

type operation struct {
	name, algorithm, operation, condition string
	bytes                                 int
	once                                  func() error
}

// operations makes every operation over one key pair, used again and again: the most favourable case for gmsm.
//
// What is kept between operations, and is therefore in place after the warm-up: gmsm holds, in a weak map from the
// *sm2.PrivateKey, its internal key with (1+d)^-1, computed by the first signature; and, in another from the
// *ecdsa.PublicKey, its internal, checked public key. Each operation still encodes the coordinates and compares them with
// the kept ones. Z is not kept by Sign and VerifyASN1WithSM2: both hash it anew every time. There is no table of
// multiples of a public key; the generator's table is part of the program. ecdh.PrivateKey keeps its public point.
func operations() ([]operation, error) {
	key, err := sm2.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	public := &key.PublicKey
	message := make([]byte, 32)
	if _, err := rand.Read(message); err != nil {
		return nil, err
	}
	signature, err := key.Sign(rand.Reader, message, sm2.DefaultSM2SignerOpts)
	if err != nil {
		return nil, err
	}
	ciphertext, err := sm2.Encrypt(rand.Reader, public, message, nil)
	if err != nil {
		return nil, err
	}
	exchange, err := newExchangeBench()
	if err != nil {
		return nil, err
	}
	list := []operation{
		{"keygen", "sm2", "key pair", "crypto/rand; affine public point", 0, func() error {
			_, err := sm2.GenerateKey(rand.Reader)
			return err
		}},
		{"sign", "sm2", "sign", "32-byte message, Z and SM3 included, crypto/rand, DER; (1+d)^-1 kept in the key", 0, func() error {
			_, err := key.Sign(rand.Reader, message, sm2.DefaultSM2SignerOpts)
			return err
		}},
		{"verify", "sm2", "verify", "32-byte message, Z and SM3 included, default ID, DER; one key", 0, func() error {
			if !sm2.VerifyASN1WithSM2(public, nil, message, signature) {
				return errors.New("a good signature was refused")
			}
			return nil
		}},
		{"encrypt", "sm2", "encrypt", "32 bytes, C1C3C2, crypto/rand; one key", 0, func() error {
			_, err := sm2.Encrypt(rand.Reader, public, message, nil)
			return err
		}},
		{"decrypt", "sm2", "decrypt", "32 bytes, C1C3C2", 0, func() error {
			_, err := sm2.Decrypt(key, ciphertext)
			return err
		}},
		{"exchange", "sm2", "key exchange", "both sides, both ephemeral keys, 16-byte key, no confirmation", 0, func() error {
			return exchange.run(false)
		}},
		{"exchange_confirmed", "sm2", "key exchange, confirmed", "both sides, both ephemeral keys, 16-byte key, SA and SB made and checked", 0, func() error {
			return exchange.run(true)
		}},
	}
	for _, size := range []struct {
		name  string
		label string
		bytes int
	}{{"sm3_64", "64 B", 64}, {"sm3_1k", "1 KiB", 1 << 10}, {"sm3_16k", "16 KiB", 16 << 10}, {"sm3_1m", "1 MiB", 1 << 20}} {
		data := make([]byte, size.bytes)
		list = append(list, operation{size.name, "sm3", size.label, "one message at a time", size.bytes, func() error {
			sm3.Sum(data)
			return nil
		}})
	}
	ciphers, err := sm4Operations()
	if err != nil {
		return nil, err
	}
	identities, err := sm9Operations()
	return append(append(list, ciphers...), identities...), err
}

// exchangeBench runs whole exchanges between two parties whose static keys and public points are at hand.
type exchangeBench struct {
	initiator, responder *ecdh.PrivateKey
}

func newExchangeBench() (*exchangeBench, error) {
	initiator, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	responder, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return &exchangeBench{initiator, responder}, nil
}

func (b *exchangeBench) run(confirmed bool) error {
	const keyLength = 16
	initiatorR, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	responderR, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	a := &party{static: b.initiator, ephemeral: initiatorR, peer: b.responder.PublicKey(), keyLength: keyLength}
	z := &party{responder: true, static: b.responder, ephemeral: responderR, peer: b.initiator.PublicKey(), keyLength: keyLength}
	if confirmed {
		if _, err := z.derive(initiatorR.PublicKey().Bytes()); err != nil {
			return err
		}
		if _, err := a.derive(responderR.PublicKey().Bytes()); err != nil {
			return err
		}
		if string(a.responderS) != string(z.responderS) || string(a.initiatorS) != string(z.initiatorS) {
			return errors.New("the confirmations differ")
		}
		return nil
	}
	for _, side := range []struct {
		*party
		remote *ecdh.PrivateKey
	}{{z, initiatorR}, {a, responderR}} {
		shared, err := side.static.SM2MQV(side.ephemeral, side.peer, side.remote.PublicKey())
		if err != nil {
			return err
		}
		if _, err := shared.SM2SharedKey(side.responder, keyLength, side.static.PublicKey(), side.peer, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// measure warms up, finds how many operations fill about a millisecond so that reading the clock costs nothing, and
// counts whole batches until the time is over.
func measure(op operation, duration time.Duration) (measurement, error) {
	batch := 1
	warmUpUntil := time.Now().Add(min(duration/4, 50*time.Millisecond))
	for {
		start := time.Now()
		for range batch {
			if err := op.once(); err != nil {
				return measurement{}, fmt.Errorf("%s: %w", op.name, err)
			}
		}
		if time.Since(start) < time.Millisecond {
			batch *= 2
		} else if time.Now().After(warmUpUntil) {
			break
		}
	}
	count := 0
	start := time.Now()
	elapsed := time.Duration(0)
	for elapsed < duration {
		for range batch {
			if err := op.once(); err != nil {
				return measurement{}, fmt.Errorf("%s: %w", op.name, err)
			}
		}
		count += batch
		elapsed = time.Since(start)
	}
	return measurement{
		Name:         op.name,
		Algorithm:    op.algorithm,
		Operation:    op.operation,
		Condition:    op.condition,
		Bytes:        op.bytes,
		Operations:   count,
		OpsPerSecond: float64(count) / elapsed.Seconds(),
		NsPerOp:      float64(elapsed.Nanoseconds()) / float64(count),
	}, nil
}

func bench(args []string, output io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	seconds := flags.Float64("seconds", 1, "how long to measure each operation")
	asJSON := flags.Bool("json", false, "write JSON")
	only := flags.String("operations", "", "names of the operations, with commas between them; all when empty")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !(*seconds > 0 && *seconds <= 3600) || flags.NArg() > 0 {
		return errors.New("usage: gmsm-peer bench [--seconds S] [--json] [--operations NAME,NAME...], S above 0 and at most 3600")
	}
	list, err := operations()
	if err != nil {
		return err
	}
	if list, err = choose(list, *only); err != nil {
		return err
	}
	results := []measurement{}
	for _, op := range list {
		result, err := measure(op, time.Duration(*seconds*float64(time.Second)))
		if err != nil {
			return err
		}
		results = append(results, result)
		if !*asJSON {
			fmt.Fprintf(output, "%-4s %-24s %14.0f /s %12.0f ns\n",
				result.Algorithm, result.Operation, result.OpsPerSecond, result.NsPerOp)
		}
	}
	if !*asJSON {
		return nil
	}
	return json.NewEncoder(output).Encode(map[string]any{"results": results})
}

func choose(list []operation, names string) ([]operation, error) {
	if names == "" {
		return list, nil
	}
	chosen := []operation{}
	for name := range strings.SplitSeq(names, ",") {
		found := false
		for _, op := range list {
			if op.name == name {
				chosen = append(chosen, op)
				found = true
			}
		}
		if !found {
			known := []string{}
			for _, op := range list {
				known = append(known, op.name)
			}
			return nil, fmt.Errorf("unknown operation %q: the operations are %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
