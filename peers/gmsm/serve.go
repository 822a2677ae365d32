package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// octets are bytes that travel as hexadecimal digits. nil means that the request did not have the field.
type octets []byte

func (o *octets) UnmarshalJSON(text []byte) error {
	var digits string
	if err := json.Unmarshal(text, &digits); err != nil {
		return errors.New("bytes are written as a string of hexadecimal digits")
	}
	decoded, err := hex.DecodeString(digits)
	if err != nil {
		return err
	}
	*o = append(octets{}, decoded...) // never nil: an empty string is a value of its own
	return nil
}

func (o octets) MarshalJSON() ([]byte, error) {
	return json.Marshal(hex.EncodeToString(o))
}

// answer is what a handler gives back; serve adds "ok".
type answer map[string]any

// handler answers one request, given as the text of its line.
type handler func(line []byte) (answer, error)

// handle makes a handler of a function over a typed request. The request's fields of type octets must be present,
// unless their tag says optional:"yes"; fields that the type does not have are refused, so that a misspelt name in a
// test fails at once.
func handle[Request any](answerTo func(Request) (answer, error)) handler {
	return func(line []byte) (answer, error) {
		var envelope struct {
			Op string `json:"op"`
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &envelope); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(line, &fields); err != nil {
			return nil, err
		}
		delete(fields, "op")
		rest, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		var request Request
		decoder := json.NewDecoder(bytes.NewReader(rest))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&request); err != nil {
			return nil, fmt.Errorf("%s: %w", envelope.Op, err)
		}
		if err := requireFields(envelope.Op, request); err != nil {
			return nil, err
		}
		return answerTo(request)
	}
}

func requireFields(op string, request any) error {
	value := reflect.ValueOf(request)
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if octetString, isOctets := value.Field(i).Interface().(octets); isOctets &&
			octetString == nil && field.Tag.Get("optional") != "yes" {
			return fmt.Errorf("%s: the field %q is missing", op, field.Tag.Get("json"))
		}
	}
	return nil
}

// serve answers requests until the input ends. A bad line gets an answer with "ok": false, never an end.
func serve(input io.Reader, output io.Writer) error {
	handlers := newHandlers()
	reader := bufio.NewReader(input)
	writer := bufio.NewWriter(output)
	for {
		line, readError := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			text, err := json.Marshal(answerLine(handlers, line))
			if err != nil {
				return err
			}
			text = append(text, '\n')
			if _, err := writer.Write(text); err != nil {
				return err
			}
			if err := writer.Flush(); err != nil {
				return err
			}
		}
		if readError == io.EOF {
			return nil
		}
		if readError != nil {
			return readError
		}
	}
}

func answerLine(handlers map[string]handler, line []byte) (result answer) {
	defer func() {
		if cause := recover(); cause != nil {
			result = answer{"ok": false, "error": fmt.Sprintf("panic: %v", cause)}
		}
	}()
	var envelope struct {
		Op string `json:"op"`
	}
	if err := json.Unmarshal(line, &envelope); err != nil {
		return answer{"ok": false, "error": "the line is not a JSON object: " + err.Error()}
	}
	answerTo, known := handlers[envelope.Op]
	if !known {
		return answer{"ok": false, "error": fmt.Sprintf("unknown op %q: README.md lists the requests", envelope.Op)}
	}
	result, err := answerTo(line)
	if err != nil {
		return answer{"ok": false, "error": strings.TrimSpace(err.Error())}
	}
	result["ok"] = true
	return result
}

func newHandlers() map[string]handler {
	exchanges, sm9Exchanges := newExchanges(), newSM9Exchanges()
	return map[string]handler{
		"sm3":               handle(sm3Digest),
		"hmac_sm3":          handle(hmacSM3),
		"sm4":               handle(sm4Crypt),
		"sm2_keygen":        handle(sm2Keygen),
		"sm2_public":        handle(sm2Public),
		"sm2_sign":          handle(sm2Sign),
		"sm2_sign_digest":   handle(sm2SignDigest),
		"sm2_verify":        handle(sm2Verify),
		"sm2_verify_digest": handle(sm2VerifyDigest),
		"sm2_encrypt":       handle(sm2Encrypt),
		"sm2_decrypt":       handle(sm2Decrypt),
		"point_compress":    handle(pointCompress),
		"point_decompress":  handle(pointDecompress),
		"pkcs8_encode":      handle(pkcs8Encode),
		"pkcs8_decode":      handle(pkcs8Decode),
		"sec1_encode":       handle(sec1Encode),
		"sec1_decode":       handle(sec1Decode),
		"spki_encode":       handle(spkiEncode),
		"spki_decode":       handle(spkiDecode),
		"envelope_wrap":     handle(envelopeWrap),
		"envelope_unwrap":   handle(envelopeUnwrap),
		"exchange_start":    handle(exchanges.start),
		"exchange_respond":  handle(exchanges.respond),
		"exchange_finish":   handle(exchanges.finish),
		"exchange_check":    handle(exchanges.check),

		"sm9_master":           handle(sm9Master),
		"sm9_user":             handle(sm9User),
		"sm9_pkcs8_decode":     handle(sm9ReadPKCS8),
		"sm9_pkcs8_encrypt":    handle(sm9EncryptPKCS8),
		"sm9_public_pem":       handle(sm9ReadPEM),
		"sm9_sign":             handle(sm9Sign),
		"sm9_verify":           handle(sm9Verify),
		"sm9_wrap":             handle(sm9Wrap),
		"sm9_unwrap":           handle(sm9Unwrap),
		"sm9_encrypt":          handle(sm9Encrypt),
		"sm9_decrypt":          handle(sm9Decrypt),
		"sm9_exchange_start":   handle(sm9Exchanges.start),
		"sm9_exchange_respond": handle(sm9Exchanges.respond),
		"sm9_exchange_finish":  handle(sm9Exchanges.finish),
		"sm9_exchange_check":   handle(sm9Exchanges.check),
	}
}
