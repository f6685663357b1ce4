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
	if got, ok := Nearest("cat", []string{"bat", "hat", "cat"}); got != "cat" || !ok {
		t.Errorf("Nearest = %q, %t; what is the same is nearest", got, ok)
	}
	if got, _ := Nearest("cat", []string{"bat", "hat"}); got != "bat" {
		t.Errorf("Nearest = %q; of equals the first counts", got)
	}
}
