package field

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"only", "operationId", "limit", "order", "orders", "status", "id"}
	tests := []struct{ text, want string }{
		{"onyl", "only"},               // two letters swapped
		{"opreationId", "operationId"}, // likewise
		{"statuss", "status"},          // one too many
		{"limt", "limit"},              // one left out
		{"lemit", "limit"},             // one replaced
		{"OPERATIONID", "operationId"}, // case alone
		{"ID", "id"},
		{"orderss", "orders"}, // the nearer of two
		{"ordre", "order"},
		{"oeprtionid", "operationId"}, // a swap and one left out
		{"from", ""},
		{"xy", ""},
		{"x", ""},
		{"", ""},
		{"olny-not", ""},
		{strings.Repeat("only", 1<<18), ""},
		{strings.Repeat("o", 201), ""},
	}
	for _, test := range tests {
		got, ok := Nearest(test.text, names)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Nearest(%.20q) = %q, %t, want %q", test.text, got, ok, test.want)
		}
	}
	if got, _ := Nearest(strings.Repeat("o", 200), []string{strings.Repeat("o", 199)}); got == "" {
		t.Error("there is none to a text of 200 bytes")
	}
	if got, ok := Nearest("cat", []string{"bat", "hat", "cat"}); got != "cat" || !ok {
		t.Errorf("Nearest = %q, %t; what is the same is nearest", got, ok)
	}
	if got, _ := Nearest("cat", []string{"bat", "hat"}); got != "bat" {
		t.Errorf("Nearest = %q; of equals the first counts", got)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3},
		{"ab", "ba", 1}, {"abcd", "badc", 2}, {"abcd", "acbd", 1}, {"ca", "abc", 3}, {"müde", "mude", 1},
	} {
		if got := Distance(test.a, test.b); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
