//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// Keys as texts. The rules are those of libkuaimi (crates/kuaimi/src/encoding: plain_text, textual, pem and openssl_text), so that both
// read the same. Unlike there, this code is not constant time and wipes nothing.

// longestText is more than any key has.
const longestText = 1 << 20

// plainText is a text without what programs put around it: a byte order mark, UTF-16, quotes, line ends written as \n.
func plainText(data []byte) []byte {
	if len(data) > longestText {
		return data
	}
	if text, isText := fromUTF16(data); isText {
		data = text
	} else if text, isMarked := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); isMarked && (isASCII(text) || hasBlock(text)) {
		data = text
	}
	return unescaped(unquoted(data))
}

func isASCII(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// fromUTF16 is UTF-16 of either byte order as ASCII. Other characters become question marks: they are allowed around a PEM block, if there
// is a byte order mark.
func fromUTF16(data []byte) (text []byte, isText bool) {
	isMarked, low := true, 0
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		data = data[2:]
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		data, low = data[2:], 1
	case len(data) > 1 && data[1] == 0:
		isMarked = false
	case len(data) > 1 && data[0] == 0:
		isMarked, low = false, 1
	default:
		return nil, false
	}
	if len(data) == 0 || len(data)%2 == 1 {
		return nil, false
	}
	areASCII := true
	for i := 0; i < len(data); i += 2 {
		letter, high := data[i+low], data[i+1-low]
		if high != 0 || letter == 0 || letter >= utf8.RuneSelf {
			areASCII, letter = false, '?'
		}
		text = append(text, letter)
	}
	return text, areASCII || isMarked && hasBlock(text)
}

// unquoted is what stands between the quotes of a text, if it has them.
func unquoted(text []byte) []byte {
	inner := bytes.TrimSpace(text)
	if last := len(inner) - 1; last > 0 && inner[0] == inner[last] && (inner[0] == '"' || inner[0] == '\'') && isASCII(inner) {
		return inner[1:last]
	}
	return text
}

// unescaped has line ends in place of \n, \r and \t, and none of the other backslashes of JSON.
func unescaped(text []byte) []byte {
	if !bytes.ContainsRune(text, '\\') || !isASCII(text) {
		return text
	}
	var out []byte
	isEscaped := false
	for _, letter := range text {
		switch {
		case letter == '\\':
			isEscaped = true
			continue
		case isEscaped && strings.IndexByte("nrt", letter) >= 0:
			letter = '\n'
		}
		isEscaped = false
		out = append(out, letter)
	}
	return out
}

// From this number of hexadecimal digits on, an odd number of them means that a digit was lost.
const shortestOdd = 16

// contentOf is what a plain text encodes: bytes in hexadecimal or in Base64, also hexadecimal in Base64. A text with blocks of PEM is
// returned as it is, and so are bytes that are not a text.
func contentOf(text []byte) (content []byte, hasBlocks bool, code core.Code) {
	switch {
	case hasBlock(text):
		return text, true, core.OK
	case isHex(text):
		content, code = decodeHex(text)
		return content, false, code
	case !isBase64(string(without(text, space))):
		return text, false, core.OK
	}
	content, code = decodeBase64(text)
	if code == core.OK && len(content) >= shortestOdd && isHex(content) {
		content, code = decodeHex(content)
	}
	return content, hasBlock(content), code
}

// isHex says whether these are hexadecimal digits in a possible number.
func isHex(text []byte) bool {
	digits := hexDigits(text)
	return isMadeOf(digits, hexLetters) && (len(digits) >= shortestOdd || len(digits)%2 == 0 && len(digits) > 0)
}

// isBase64 says whether these are letters of one alphabet of Base64 in a possible number.
func isBase64(letters string) bool {
	bare := strings.TrimRight(letters, "=")
	if bare == "" || !isMadeOf([]byte(bare), base64Letters+"-_") || strings.ContainsAny(bare, "+/") && strings.ContainsAny(bare, "-_") {
		return false
	}
	switch len(letters) - len(bare) {
	case 0:
		return len(bare)%4 != 1
	case 1, 2:
		return len(letters)%4 == 0
	}
	return false
}

const (
	hexLetters    = "0123456789abcdefABCDEF"
	base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
)

func isMadeOf(text []byte, letters string) bool {
	return len(bytes.Trim(text, letters)) == 0
}

// without is a text without some letters.
func without(text []byte, letters string) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(letters, r) {
			return -1
		}
		return r
	}, text)
}

const space = " \t\r\n\f"

// hexDigits is the digits without white space, 0x, and colons between two bytes.
func hexDigits(text []byte) []byte {
	text = bytes.TrimLeft(text, space)
	if len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x' {
		text = text[2:]
	}
	letters := without(text, space)
	before := 0
	for _, letter := range letters {
		if letter != ':' {
			before++
		} else if before%2 == 1 {
			// A digit left out before a colon would move all that follow.
			return letters
		}
	}
	return without(letters, ":")
}

func decodeHex(text []byte) ([]byte, core.Code) {
	out, err := hex.DecodeString(string(hexDigits(text)))
	if err != nil {
		return nil, core.Text
	}
	return out, core.OK
}

// decodeBase64 takes the usual alphabet or that for URLs, with padding or without.
func decodeBase64(text []byte) ([]byte, core.Code) {
	letters := strings.TrimRight(string(without(text, space)), "=")
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(letters, "-_") {
		encoding = base64.RawURLEncoding
	}
	out, err := encoding.Strict().DecodeString(letters)
	if err != nil {
		return nil, core.Text
	}
	return out, core.OK
}

// A pemBlock is a block of PEM (RFC 7468).
type pemBlock struct {
	label string
	body  []byte
}

// hasBlock says whether a text has the begin of a block.
func hasBlock(text []byte) bool {
	_, isThere := afterBegin(text)
	return isThere
}

// afterBegin is what follows the first -----BEGIN that is the first thing on its line.
func afterBegin(text []byte) (rest []byte, isThere bool) {
	const begin = "-----BEGIN "
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(begin))
		if at < 0 {
			return nil, false
		}
		from += at + len(begin)
		before := bytes.TrimRight(text[:from-len(begin)], " \t")
		if len(before) == 0 || before[len(before)-1] == '\n' || before[len(before)-1] == '\r' {
			return text[from:], true
		}
	}
}

// blocksOf is the blocks of a text. One without an end is an error, after those before it.
func blocksOf(text []byte) (blocks []pemBlock, code core.Code) {
	for {
		rest, isThere := afterBegin(text)
		if !isThere {
			return blocks, core.OK
		}
		label, rest, hasLabel := bytes.Cut(rest, []byte("-----"))
		body, rest, hasEnd := bytes.Cut(rest, []byte("-----END "))
		rest, fits := bytes.CutPrefix(rest, append(bytes.Clone(label), "-----"...))
		if !hasLabel || !hasEnd || !fits || len(label) > 64 || bytes.ContainsAny(label, "\r\n") {
			return blocks, core.Text
		}
		blocks = append(blocks, pemBlock{string(label), body})
		text = rest
	}
}

// decode is the content of a block.
func (b pemBlock) decode() ([]byte, core.Code) {
	if bytes.ContainsRune(b.body, ':') {
		// Headers as in RFC 1421.
		if bytes.Contains(b.body, []byte("ENCRYPTED")) {
			return nil, core.UnsupportedEncryption
		}
		return nil, core.Text
	}
	out, err := base64.StdEncoding.Strict().DecodeString(string(without(b.body, space)))
	if err != nil {
		return nil, core.Text
	}
	return out, core.OK
}

// opensslText is the digits under a heading of what openssl -text prints, decoded: the lines that are indented more than it. It is nil
// if the text does not have them.
func opensslText(text []byte, heading string) ([]byte, core.Code) {
	if !isASCII(text) {
		return nil, core.OK
	}
	var digits []byte
	curve, under := "", -1
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		content := bytes.TrimLeft(line, space)
		indentation := len(line) - len(content)
		content = bytes.TrimRight(content, space)
		if name, isName := bytes.CutPrefix(content, []byte("ASN1 OID: ")); isName && curve == "" {
			curve = string(name)
		}
		switch {
		case string(content) == heading && len(digits) == 0:
			under = indentation
		case under >= 0 && indentation > under && len(content) > 0:
			digits = append(digits, content...)
		default:
			under = -1
		}
	}
	if len(digits) == 0 {
		return nil, core.OK
	}
	if !strings.EqualFold(curve, "SM2") {
		return nil, core.OtherAlgorithm
	}
	return decodeHex(digits)
}
