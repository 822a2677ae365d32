package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// ask sends lines through serve and gives the answers.
func ask(t *testing.T, lines ...string) []map[string]any {
	t.Helper()
	var output bytes.Buffer
	if err := serve(strings.NewReader(strings.Join(lines, "\n")), &output); err != nil {
		t.Fatal(err)
	}
	answers := []map[string]any{}
	scanner := bufio.NewScanner(&output)
	for scanner.Scan() {
		var answer map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d requests", len(answers), len(lines))
	}
	return answers
}

func request(fields map[string]any) string {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func standardExample(t *testing.T, section string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../vectors/sm2.json")
	if err != nil {
		t.Fatal(err)
	}
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(text, &sections); err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(sections[section], &values); err != nil {
		t.Fatal(err)
	}
	example := map[string]string{}
	for name, value := range values {
		if digits, isString := value.(string); isString {
			example[name] = strings.ToLower(digits)
		}
	}
	return example
}

func TestBadLinesAreAnswered(t *testing.T) {
	cases := []string{
		`not JSON`,
		`{"op":"nothing"}`,
		`{"op":"sm3"}`,
		`{"op":"sm3","data":"zz"}`,
		`{"op":"sm3","data":"00","dat":"00"}`,
		`{"op":"sm2_sign","d":"00","message":""}`,
		`{"op":"exchange_check","handle":7,"confirmation":""}`,
		`[1]`,
	}
	answers := ask(t, append(cases, `{"op":"sm3","data":"616263"}`)...)
	for i, line := range cases {
		if answers[i]["ok"] != false || answers[i]["error"] == "" {
			t.Errorf("%s was answered %v", line, answers[i])
		}
	}
	want := "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
	if last := answers[len(cases)]; last["ok"] != true || last["digest"] != want {
		t.Errorf("the line after the bad ones was answered %v", last)
	}
}

func TestStandardSignatureVerifies(t *testing.T) {
	example := standardExample(t, "signature")
	der := "3046022100" + example["r"] + "022100" + example["s"]
	verify := map[string]any{
		"op":        "sm2_verify",
		"public":    "04" + example["px"] + example["py"],
		"message":   hex.EncodeToString([]byte("message digest")),
		"signature": der,
	}
	good := request(verify)
	verify["id"] = hex.EncodeToString([]byte("another ID"))
	answers := ask(t, good, request(verify))
	if answers[0]["valid"] != true || answers[1]["valid"] != false {
		t.Errorf("answers: %v", answers)
	}
}

// The confirmation values are this program's own, so the standard's example is what holds them right.
func TestStandardKeyExchange(t *testing.T) {
	example := standardExample(t, "key_exchange")
	start := func(role, d, peer, ephemeral string) string {
		return request(map[string]any{
			"op": "exchange_start", "role": role, "d": example[d], "peer_public": example[peer],
			"key_length": 16, "ephemeral_d": example[ephemeral],
		})
	}
	answers := ask(t,
		start("initiator", "d_a", "p_b", "r_a"),
		start("responder", "d_b", "p_a", "r_b"),
		request(map[string]any{"op": "exchange_respond", "handle": 2, "peer_ephemeral": example["point_r_a"]}),
		request(map[string]any{"op": "exchange_finish", "handle": 1, "peer_ephemeral": example["point_r_b"],
			"confirmation": example["s_1_and_s_b"]}),
		request(map[string]any{"op": "exchange_check", "handle": 2, "confirmation": example["s_2_and_s_a"]}),
	)
	for i, want := range []map[string]string{
		{"ephemeral_public": "point_r_a"},
		{"ephemeral_public": "point_r_b"},
		{"key": "k_ab", "confirmation": "s_1_and_s_b"},
		{"key": "k_ab", "confirmation": "s_2_and_s_a"},
		{},
	} {
		if answers[i]["ok"] != true {
			t.Fatalf("answer %d: %v", i, answers[i])
		}
		for field, name := range want {
			if answers[i][field] != example[name] {
				t.Errorf("answer %d: %s is %v, not %s", i, field, answers[i][field], example[name])
			}
		}
	}
}

// The example of GB/T 32907-2016, annex A.1, and a message there and back in every mode.
func TestSM4(t *testing.T) {
	key := "0123456789abcdeffedcba9876543210"
	example := ask(t, request(map[string]any{"op": "sm4", "mode": "ecb", "key": key, "data": key}))[0]
	if example["data"] != "681edf34d206965e86b3e94f536e4246" {
		t.Errorf("the standard's example gives %v", example)
	}
	data := strings.Repeat("00112233445566778899aabbccddeeff", 5)
	for _, mode := range []string{"ecb", "cbc", "cfb", "ofb", "ctr", "gcm", "ccm", "ccm_8", "xts", "xts_gb"} {
		fields := map[string]any{"op": "sm4", "mode": mode, "key": key, "iv": key, "data": data}
		if strings.HasPrefix(mode, "xts") {
			fields["key"] = key + "00000000000000000000000000000001"
		}
		if strings.HasPrefix(mode, "ccm") {
			fields["iv"] = key[:24]
		}
		sealed := ask(t, request(fields))[0]
		if sealed["ok"] != true || sealed["data"] == data {
			t.Fatalf("%s: %v", mode, sealed)
		}
		fields["data"], fields["decrypt"] = sealed["data"], true
		if back := ask(t, request(fields))[0]; back["data"] != data {
			t.Errorf("%s: back to %v", mode, back)
		}
	}
	if bad := ask(t, request(map[string]any{"op": "sm4", "mode": "cbf", "key": key, "data": data}))[0]; bad["ok"] != false {
		t.Errorf("an unknown mode gives %v", bad)
	}
}
