package middleware

import (
	"net/http"
	"strings"
	"testing"
)

// TestForwardedClients checks whether all clients that a Forwarded line names are on this machine.
func TestForwardedClients(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]map[string]bool{
		"Forwarded": {
			`for=127.0.0.1`: true, `For=127.8.8.8`: true, `for="127.0.0.1"`: true, `for="127.0.0.1:4711"`: true, `for="127.0.0.1:_http"`: true,
			`for="[::1]"`: true, `for="[::1]:80"`: true, `for="[::ffff:127.0.0.1]"`: true, `for="[0:0:0:0:0:0:0:1]"`: true, `for="\127.0.0.1"`: true,
			`for=127.0.0.1;proto=http;by=203.0.113.7;host="localhost:5173"`: true, `proto=https;for=127.0.0.1`: true, `;for=127.0.0.1;;proto=http;`: true,
			`for=127.0.0.1, for="[::1]"`: true, "for=127.0.0.1\t,for=127.0.0.2": true, `host="a,b";for=127.0.0.1`: true, `secret="\"";for=127.0.0.1`: true,

			`for=203.0.113.7`: false, `for="[2001:db8::1]:4711"`: false, `for=0.0.0.0`: false, `for="[::]"`: false,
			`for=127.0.0.1, for=203.0.113.7`: false, `for=203.0.113.7, for=127.0.0.1`: false, `for=127.0.0.1;for=203.0.113.7`: false, `for=127.0.0.1;for=127.0.0.1`: false,
			`for=unknown`: false, `for=_hidden`: false, `for="_hidden:1"`: false, `for=localhost`: false, `for=""`: false, `for=127.0.0.1.evil.example`: false,
			`proto=https`: false, `for=127.0.0.1, proto=https`: false, `by=127.0.0.1`: false, // the client is not named
			``: false, `,`: false, `for=127.0.0.1,`: false, `,for=127.0.0.1`: false, `127.0.0.1`: false, `for`: false, `for=`: false, `for =127.0.0.1`: false, `for= 127.0.0.1`: false,
			`for=127.0.0.1; proto=http`: false, `for=127.0.0.1 for=127.0.0.1`: false, `for=127.0.0.1 x`: false, `for="127.0.0.1`: false, `for=127.0.0.1"`: false, `for='127.0.0.1'`: false,
			`for=[::1]`: false, `for=::1`: false, `for="::1"`: false, `for="[::1"`: false, `for="[127.0.0.1]"`: false, `for="[::1]x"`: false, `for=127.0.0.1:80`: false,
			`for="127.0.0.1:"`: false, `for="127.0.0.1:http"`: false, `for="127.0.0.1:123456"`: false, `for="127.0.0.1:80:80"`: false, `for=127.1`: false, `for="[::1%lo]"`: false,
			`xfor=127.0.0.1`: false, `host="x;for=127.0.0.1"`: false, `host=x,for=127.0.0.1`: false, `for="127.0.0.1\`: false,
		},
		"X-Forwarded-For": {
			`127.0.0.1`: true, `127.8.8.8`: true, `::1`: true, `[::1]`: true, `::ffff:127.0.0.1`: true, `127.0.0.1:4711`: true, `[::1]:4711`: true,
			`127.0.0.1, ::1`: true, "127.0.0.1 ,\t127.0.0.2": true, ` 127.0.0.1 `: true,

			`203.0.113.7`: false, `2001:db8::1`: false, `0.0.0.0`: false, `::`: false, `127.0.0.1, 203.0.113.7`: false, `203.0.113.7, 127.0.0.1`: false, `203.0.113.7:80`: false,
			`unknown`: false, `localhost`: false, `_hidden`: false, `127.0.0.1.evil.example`: false, `127.0.0.1,`: false, `,127.0.0.1`: false, ``: false, `,`: false,
			`127.1`: false, `127.0.0.1 203.0.113.7`: false, `127.0.0.1;203.0.113.7`: false, `"127.0.0.1"`: false, `for=127.0.0.1`: false, `127.0.0.1:http`: false, `[127.0.0.1]`: false,
		},
		"X-Real-Ip": {
			`127.0.0.1`: true, `::1`: true, `[::1]`: true, `127.0.0.1:4711`: true, ` 127.0.0.1 `: true,

			`203.0.113.7`: false, `2001:db8::1`: false, `127.0.0.1, 127.0.0.1`: false, `unknown`: false, ``: false, `localhost`: false,
		},
	} {
		for line, want := range lines {
			if got := forLoopback(http.Header{name: {line}}); got != want {
				t.Errorf("%s: %s names clients on this machine alone: %t, want %t", name, line, got, want)
			}
			if got := forLoopback(http.Header{name: {lineOfThisMachine[name], line}}); got != want {
				t.Errorf("%s: %s as the second line names clients on this machine alone: %t, want %t", name, line, got, want)
			}
		}
	}
	if !forLoopback(http.Header{}) {
		t.Error("a request that no proxy handed on is for somebody else")
	}
}

var lineOfThisMachine = map[string]string{"Forwarded": "for=127.0.0.1", "X-Forwarded-For": "127.0.0.1", "X-Real-Ip": "127.0.0.1"}

// TestLongForwardedLines checks that lines of up to 4 KiB can be local and that longer ones are
// not.
func TestLongForwardedLines(t *testing.T) {
	t.Parallel()
	const client = "for=127.0.0.1"
	for length, want := range map[int]bool{4 << 10: true, 4<<10 + 1: false, 60_000: false} {
		line := strings.Repeat(client+",", (length-len(client))/len(client+",")) + client
		line = strings.Repeat(" ", length-len(line)) + line
		if got := forLoopback(http.Header{"Forwarded": {line}}); got != want {
			t.Errorf("%d bytes are this machine's: %t", len(line), got)
		}
	}
}
