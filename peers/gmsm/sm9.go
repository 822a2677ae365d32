package main

import (
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/emmansun/gmsm/pkcs8"
	"github.com/emmansun/gmsm/sm9"
	"github.com/emmansun/gmsm/smx509"
	"golang.org/x/crypto/cryptobyte"
)

// Keys travel as the bytes that GB/T 41389 wraps: a master key is 32 bytes, a point 65 bytes (G1) or 129 (G2) that begin with
// 04. User keys go in as PKCS#8, which carries the master public key that gmsm needs beside them.

const (
	forSigning    = "sign"
	forEncryption = "encrypt"
)

func unknownKind(kind string) error {
	return fmt.Errorf("unknown kind %q: %s or %s", kind, forSigning, forEncryption)
}

// integer is the DER of a master key.
func integer(key []byte) ([]byte, error) {
	var b cryptobyte.Builder
	b.AddASN1(0x02, func(b *cryptobyte.Builder) {
		for len(key) > 1 && key[0] == 0 {
			key = key[1:]
		}
		if len(key) == 0 || key[0] >= 0x80 {
			b.AddUint8(0)
		}
		b.AddBytes(key)
	})
	return b.Bytes()
}

func signMaster(key []byte) (*sm9.SignMasterPrivateKey, error) {
	der, err := integer(key)
	if err != nil {
		return nil, err
	}
	return sm9.UnmarshalSignMasterPrivateKeyASN1(der)
}

func encryptMaster(key []byte) (*sm9.EncryptMasterPrivateKey, error) {
	der, err := integer(key)
	if err != nil {
		return nil, err
	}
	return sm9.UnmarshalEncryptMasterPrivateKeyASN1(der)
}

// sm9Master makes a master key, or takes it from the request, and gives it with its public key.
func sm9Master(request struct {
	Kind string `json:"kind"`
	Key  octets `json:"key" optional:"yes"`
}) (answer, error) {
	switch request.Kind {
	case forSigning:
		var key *sm9.SignMasterPrivateKey
		var err error
		if request.Key == nil {
			key, err = sm9.GenerateSignMasterKey(rand.Reader)
		} else {
			key, err = signMaster(request.Key)
		}
		if err != nil {
			return nil, err
		}
		return sm9KeyAnswer(key, key.Bytes(), key.PublicKey().Bytes())
	case forEncryption:
		var key *sm9.EncryptMasterPrivateKey
		var err error
		if request.Key == nil {
			key, err = sm9.GenerateEncryptMasterKey(rand.Reader)
		} else {
			key, err = encryptMaster(request.Key)
		}
		if err != nil {
			return nil, err
		}
		return sm9KeyAnswer(key, key.Bytes(), key.PublicKey().Bytes())
	}
	return nil, unknownKind(request.Kind)
}

func sm9KeyAnswer(key any, bytes, public []byte) (answer, error) {
	der, err := smx509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return answer{"key": octets(bytes), "public": octets(public), "pkcs8": octets(der)}, nil
}

// sm9User makes a user's key.
func sm9User(request struct {
	Kind   string `json:"kind"`
	Master octets `json:"master"`
	ID     octets `json:"id"`
	HID    byte   `json:"hid"`
}) (answer, error) {
	switch request.Kind {
	case forSigning:
		master, err := signMaster(request.Master)
		if err != nil {
			return nil, err
		}
		key, err := master.GenerateUserKey(request.ID, request.HID)
		if err != nil {
			return nil, err
		}
		return sm9KeyAnswer(key, key.Bytes(), key.MasterPublic().Bytes())
	case forEncryption:
		master, err := encryptMaster(request.Master)
		if err != nil {
			return nil, err
		}
		key, err := master.GenerateUserKey(request.ID, request.HID)
		if err != nil {
			return nil, err
		}
		return sm9KeyAnswer(key, key.Bytes(), key.MasterPublic().Bytes())
	}
	return nil, unknownKind(request.Kind)
}

// sm9ReadPKCS8 reads a private key of any kind, encrypted where a password is given.
func sm9ReadPKCS8(request struct {
	DER      octets `json:"der"`
	Password octets `json:"password" optional:"yes"`
}) (answer, error) {
	key, _, err := pkcs8.ParsePrivateKey(request.DER, request.Password)
	if err != nil {
		return nil, err
	}
	result := func(kind string, bytes, public []byte) (answer, error) {
		return answer{"kind": kind, "key": octets(bytes), "public": octets(public)}, nil
	}
	switch key := key.(type) {
	case *sm9.SignMasterPrivateKey:
		return result("sign master", key.Bytes(), key.PublicKey().Bytes())
	case *sm9.EncryptMasterPrivateKey:
		return result("encrypt master", key.Bytes(), key.PublicKey().Bytes())
	case *sm9.SignPrivateKey:
		return result("sign user", key.Bytes(), key.MasterPublic().Bytes())
	case *sm9.EncryptPrivateKey:
		return result("encrypt user", key.Bytes(), key.MasterPublic().Bytes())
	}
	return nil, fmt.Errorf("the key is not one of SM9's, but a %T", key)
}

// sm9EncryptPKCS8 encrypts the PKCS#8 of a private key of any kind.
func sm9EncryptPKCS8(request struct {
	DER      octets `json:"der"`
	Password octets `json:"password"`
	Cipher   string `json:"cipher"`
	PRF      string `json:"prf"`
}) (answer, error) {
	key, err := smx509.ParsePKCS8PrivateKey(request.DER)
	if err != nil {
		return nil, err
	}
	encrypter, err := pbesEncrypter("pbes2", request.Cipher, request.PRF, 0)
	if err != nil {
		return nil, err
	}
	der, err := pkcs8.MarshalPrivateKey(key, request.Password, encrypter)
	if err != nil {
		return nil, err
	}
	return answer{"der": octets(der)}, nil
}

// sm9ReadPEM reads a master public key in GmSSL's form.
func sm9ReadPEM(request struct {
	Kind string `json:"kind"`
	PEM  string `json:"pem"`
}) (answer, error) {
	switch request.Kind {
	case forSigning:
		key, err := sm9.ParseSignMasterPublicKeyPEM([]byte(request.PEM))
		if err != nil {
			return nil, err
		}
		return answer{"public": octets(key.Bytes())}, nil
	case forEncryption:
		key, err := sm9.ParseEncryptMasterPublicKeyPEM([]byte(request.PEM))
		if err != nil {
			return nil, err
		}
		return answer{"public": octets(key.Bytes())}, nil
	}
	return nil, unknownKind(request.Kind)
}

func userKey[Key any](der []byte) (Key, error) {
	var none Key
	key, err := smx509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return none, err
	}
	if key, isUserKey := key.(Key); isUserKey {
		return key, nil
	}
	return none, fmt.Errorf("this takes another kind of key than %T", key)
}

func sm9Sign(request struct {
	Key     octets `json:"key"`
	Message octets `json:"message"`
}) (answer, error) {
	key, err := userKey[*sm9.SignPrivateKey](request.Key)
	if err != nil {
		return nil, err
	}
	signature, err := sm9.SignASN1(rand.Reader, key, request.Message)
	if err != nil {
		return nil, err
	}
	return answer{"signature": octets(signature)}, nil
}

func sm9Verify(request struct {
	Public    octets `json:"public"`
	ID        octets `json:"id"`
	HID       byte   `json:"hid"`
	Message   octets `json:"message"`
	Signature octets `json:"signature"`
}) (answer, error) {
	public, err := sm9.UnmarshalSignMasterPublicKeyRaw(request.Public)
	if err != nil {
		return nil, err
	}
	valid := sm9.VerifyASN1(public, request.ID, request.HID, request.Message, request.Signature)
	return answer{"valid": valid}, nil
}

func sm9Wrap(request struct {
	Public octets `json:"public"`
	ID     octets `json:"id"`
	HID    byte   `json:"hid"`
	Length int    `json:"length"`
}) (answer, error) {
	public, err := sm9.UnmarshalEncryptMasterPublicKeyRaw(request.Public)
	if err != nil {
		return nil, err
	}
	der, err := public.WrapKeyASN1(rand.Reader, request.ID, request.HID, request.Length)
	if err != nil {
		return nil, err
	}
	return answer{"package": octets(der)}, nil
}

// sm9Unwrap takes the point with or without its leading 04.
func sm9Unwrap(request struct {
	Key    octets `json:"key"`
	ID     octets `json:"id"`
	C      octets `json:"c"`
	Length int    `json:"length"`
}) (answer, error) {
	key, err := userKey[*sm9.EncryptPrivateKey](request.Key)
	if err != nil {
		return nil, err
	}
	plain, err := sm9.UnwrapKey(key, request.ID, request.C, request.Length)
	if err != nil {
		return nil, err
	}
	return answer{"key": octets(plain)}, nil
}

var sm9Modes = map[string]sm9.EncrypterOpts{
	"stream": sm9.DefaultEncrypterOpts,
	"ecb":    sm9.SM4ECBEncrypterOpts,
	"cbc":    sm9.SM4CBCEncrypterOpts,
	"ofb":    sm9.SM4OFBEncrypterOpts,
	"cfb":    sm9.SM4CFBEncrypterOpts,
}

// sm9Encrypt encrypts to DER, or to C1 || C3 || C2 with C1 without its leading 04.
func sm9Encrypt(request struct {
	Public  octets `json:"public"`
	ID      octets `json:"id"`
	HID     byte   `json:"hid"`
	Message octets `json:"message"`
	Mode    string `json:"mode"`
	DER     bool   `json:"der"`
}) (answer, error) {
	mode, known := sm9Modes[request.Mode]
	if !known {
		return nil, fmt.Errorf("unknown mode %q", request.Mode)
	}
	public, err := sm9.UnmarshalEncryptMasterPublicKeyRaw(request.Public)
	if err != nil {
		return nil, err
	}
	encrypt := sm9.Encrypt
	if request.DER {
		encrypt = sm9.EncryptASN1
	}
	ciphertext, err := encrypt(rand.Reader, public, request.ID, request.HID, request.Message, mode)
	if err != nil {
		return nil, err
	}
	return answer{"ciphertext": octets(ciphertext)}, nil
}

func sm9Decrypt(request struct {
	Key        octets `json:"key"`
	ID         octets `json:"id"`
	Ciphertext octets `json:"ciphertext"`
	Mode       string `json:"mode"`
	DER        bool   `json:"der"`
}) (answer, error) {
	key, err := userKey[*sm9.EncryptPrivateKey](request.Key)
	if err != nil {
		return nil, err
	}
	mode, known := sm9Modes[request.Mode]
	if !known {
		return nil, fmt.Errorf("unknown mode %q", request.Mode)
	}
	var message []byte
	if request.DER {
		message, err = sm9.DecryptASN1(key, request.ID, request.Ciphertext)
	} else {
		if len(request.Ciphertext) <= 96 {
			return nil, errors.New("the ciphertext is too short, which gmsm does not look at")
		}
		message, err = sm9.Decrypt(key, request.ID, request.Ciphertext, mode)
	}
	if err != nil {
		return nil, err
	}
	return answer{"message": octets(message)}, nil
}

// sm9Exchanges holds the parties between the lines of one exchange.
type sm9Exchanges struct {
	parties map[int]sm9.KeyExchange
	last    int
}

func newSM9Exchanges() *sm9Exchanges {
	return &sm9Exchanges{parties: map[int]sm9.KeyExchange{}}
}

func (e *sm9Exchanges) get(handle int) (sm9.KeyExchange, error) {
	party, known := e.parties[handle]
	if !known {
		return nil, fmt.Errorf("there is no exchange with the handle %d", handle)
	}
	return party, nil
}

// start makes a party; the initiator's has its point.
func (e *sm9Exchanges) start(request struct {
	Key       octets `json:"key"`
	ID        octets `json:"id"`
	PeerID    octets `json:"peer_id"`
	HID       byte   `json:"hid"`
	KeyLength int    `json:"key_length"`
	Initiator bool   `json:"initiator"`
}) (answer, error) {
	key, err := userKey[*sm9.EncryptPrivateKey](request.Key)
	if err != nil {
		return nil, err
	}
	party := key.NewKeyExchange(request.ID, request.PeerID, request.KeyLength, true)
	e.last++
	e.parties[e.last] = party
	result := answer{"handle": e.last}
	if request.Initiator {
		point, err := party.InitKeyExchange(rand.Reader, request.HID)
		if err != nil {
			return nil, err
		}
		result["point"] = octets(point)
	}
	return result, nil
}

// respond is the responder's step: it has RA, and gives RB and SB.
func (e *sm9Exchanges) respond(request struct {
	Handle int    `json:"handle"`
	HID    byte   `json:"hid"`
	Point  octets `json:"point"`
}) (answer, error) {
	party, err := e.get(request.Handle)
	if err != nil {
		return nil, err
	}
	point, confirmation, err := party.RespondKeyExchange(rand.Reader, request.HID, request.Point)
	if err != nil {
		return nil, err
	}
	return answer{"point": octets(point), "confirmation": octets(confirmation)}, nil
}

// finish is the initiator's step: it has RB and SB, and gives the key and SA. The handle ends here: a party keeps hundreds of kilobytes.
func (e *sm9Exchanges) finish(request struct {
	Handle       int    `json:"handle"`
	Point        octets `json:"point"`
	Confirmation octets `json:"confirmation"`
}) (answer, error) {
	party, err := e.get(request.Handle)
	if err != nil {
		return nil, err
	}
	delete(e.parties, request.Handle)
	key, confirmation, err := party.ConfirmResponder(request.Point, request.Confirmation)
	if err != nil {
		return nil, err
	}
	return answer{"key": octets(key), "confirmation": octets(confirmation)}, nil
}

// check is the responder's last step: it has SA, and gives the key. The handle ends here.
func (e *sm9Exchanges) check(request struct {
	Handle       int    `json:"handle"`
	Confirmation octets `json:"confirmation"`
}) (answer, error) {
	party, err := e.get(request.Handle)
	if err != nil {
		return nil, err
	}
	delete(e.parties, request.Handle)
	key, err := party.ConfirmInitiator(request.Confirmation)
	if err != nil {
		return nil, err
	}
	return answer{"key": octets(key)}, nil
}
