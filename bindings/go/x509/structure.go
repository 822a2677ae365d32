package x509

import (
	"bytes"
	"encoding/asn1"
	"errors"
)

// crypto/x509 parses and builds everything but the keys and signatures of SM2. So it is given the structure with the algorithm of the
// key changed to one that it does not know, whose key it passes over; and what it builds for another key gets the right key, the right
// algorithm and the signature. This file takes structures apart and puts them together; nothing here knows what the fields mean.

// AlgorithmIdentifiers, without their tags.
var (
	// An elliptic curve's key, on SM2's curve.
	keyOnCurve = []byte{6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d}
	// SM2's curve in the place of the algorithm, as some authorities write it.
	keyNamedCurve = []byte{6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d}
	// SM2 with SM3.
	sm2WithSM3 = []byte{6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x75}
)

// A kind says where in the signed part of a structure the fields are that depend on algorithms; -1 for a field that it does not have.
// The version is counted.
type kind struct {
	algorithm, key int
}

var (
	certificateKind = kind{algorithm: 2, key: 6}
	requestKind     = kind{algorithm: -1, key: 2}
	listKind        = kind{algorithm: 1, key: -1}
)

var errMalformed = errors.New("x509: malformed DER")

// An element is a part of a structure.
type element struct {
	// Where it begins, and where its content begins and ends, in the bytes that were taken apart.
	start, content, end int
	tag                 byte
}

// first is the element at a place.
func first(der []byte, start, end int) (element, error) {
	var value asn1.RawValue
	rest, err := asn1.Unmarshal(der[start:end], &value)
	if err != nil {
		return element{}, errMalformed
	}
	end -= len(rest)
	return element{start: start, content: end - len(value.Bytes), end: end, tag: der[start]}, nil
}

// inside are the elements in another one.
func (e element) inside(der []byte) ([]element, error) {
	var all []element
	for place := e.content; place < e.end; {
		next, err := first(der, place, e.end)
		if err != nil {
			return nil, err
		}
		all = append(all, next)
		place = next.end
	}
	return all, nil
}

// A structure is what is signed, its algorithm and its signature.
type structure struct {
	der []byte
	// The signed part, and its fields; an absent version has no bytes.
	tbs       element
	fields    []element
	algorithm element
}

// takeApart is the structure in DER. What follows it is for crypto/x509 to refuse.
func takeApart(der []byte, k kind) (*structure, error) {
	whole, err := first(der, 0, len(der))
	if err != nil {
		return nil, err
	}
	parts, err := whole.inside(der)
	if err != nil || len(parts) != 3 {
		return nil, errMalformed
	}
	s := &structure{der: der, tbs: parts[0], algorithm: parts[1]}
	s.fields, err = s.tbs.inside(der)
	if err != nil {
		return nil, errMalformed
	}
	// A certificate of version 1 does not say its version.
	if k == certificateKind && len(s.fields) != 0 && s.fields[0].tag != 0xa0 {
		s.fields = append([]element{{start: s.tbs.content, content: s.tbs.content, end: s.tbs.content}}, s.fields...)
	}
	if len(s.fields) <= max(k.algorithm, k.key) {
		return nil, errMalformed
	}
	return s, nil
}

// isSM2Signed says whether the structure says that it is signed with SM2. Parameters are absent, or NULL, as some authorities write.
func (s *structure) isSM2Signed() bool {
	algorithm := s.der[s.algorithm.content:s.algorithm.end]
	rest, found := bytes.CutPrefix(algorithm, sm2WithSM3)
	return found && (len(rest) == 0 || bytes.Equal(rest, asn1.NullBytes))
}

// hideKey is a copy of the structure with an algorithm of the key that crypto/x509 does not know, or nil if the key is none of SM2.
func (s *structure) hideKey(k kind) []byte {
	info := s.fields[k.key]
	algorithm, err := first(s.der, info.content, info.end)
	if err != nil {
		return nil
	}
	content := s.der[algorithm.content:algorithm.end]
	if bytes.HasPrefix(content, keyNamedCurve) {
		return bytes.Clone(s.der)
	}
	if !bytes.Equal(content, keyOnCurve) {
		return nil
	}
	hidden := bytes.Clone(s.der)
	// The last number of id-ecPublicKey.
	hidden[algorithm.content+8] = 0x63
	return hidden
}

// sequence is the DER of a SEQUENCE.
func sequence(parts ...[]byte) ([]byte, error) {
	return asn1.Marshal(asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: bytes.Join(parts, nil)})
}

// withSM2 is the signed part with SM2's algorithm and, unless it is nil, another public key.
func (s *structure) withSM2(k kind, key []byte) ([]byte, error) {
	algorithm, err := sequence(sm2WithSM3)
	if err != nil {
		return nil, err
	}
	parts := make([][]byte, len(s.fields))
	for i, field := range s.fields {
		switch {
		case i == k.algorithm:
			parts[i] = algorithm
		case i == k.key && key != nil:
			parts[i] = key
		default:
			parts[i] = s.der[field.start:field.end]
		}
	}
	return sequence(parts...)
}

// signed is a structure of a signed part and its signature with SM2.
func signed(tbs, signature []byte) ([]byte, error) {
	algorithm, err := sequence(sm2WithSM3)
	if err != nil {
		return nil, err
	}
	bits, err := asn1.Marshal(asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)})
	if err != nil {
		return nil, err
	}
	return sequence(tbs, algorithm, bits)
}
