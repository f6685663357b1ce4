package handlers_test

import (
	"net/http"
	"testing"
	"time"
)

func setClock(body string) request {
	return request{method: "PUT", path: "/admin/clock", body: body}
}

func TestClock(t *testing.T) { runScenarios(t, clockScenarios()) }

func clockScenarios() []scenario {
	get, release := request{method: "GET", path: "/admin/clock"}, request{method: "DELETE", path: "/admin/clock"}
	reads := func(now, frozen, offset string) string {
		return `{"now": "` + now + `", "frozen": ` + frozen + `, "offsetSeconds": ` + offset + `}`
	}
	real := reads("2026-07-01T12:00:00Z", "false", "0")
	frozen := []request{setClock(`{"now": "2026-08-01T12:00:00Z", "frozen": true}`)}
	bad := func(name, body string, fields ...string) scenario {
		return scenario{name: name, request: setClock(body), status: 400, code: "validation_failed", fields: fields}
	}
	return []scenario{
		{name: "clock", request: get, status: 200, want: real},
		{name: "clock that was set", request: get, before: frozen, status: 200, want: reads("2026-08-01T12:00:00Z", "true", "2678400")},
		{name: "set", request: setClock(`{"now": "2031-01-01T01:30:00.5+01:00"}`), status: 200,
			want: reads("2031-01-01T00:30:00.5Z", "false", "142086600.5")},
		{name: "set what is frozen", request: setClock(`{"now": "2026-06-30T12:00:00Z"}`), before: frozen, status: 200,
			want: reads("2026-06-30T12:00:00Z", "true", "-86400")},
		{name: "freeze", request: setClock(`{"frozen": true}`), status: 200, want: reads("2026-07-01T12:00:00Z", "true", "0")},
		{name: "let go on", request: setClock(`{"frozen": false}`), before: frozen, status: 200,
			want: reads("2026-08-01T12:00:00Z", "false", "2678400")},
		{name: "advance", request: setClock(`{"advance": "72h"}`), status: 200, want: reads("2026-07-04T12:00:00Z", "false", "259200")},
		{name: "go back while frozen", request: setClock(`{"advance": "-90m"}`), before: frozen, status: 200,
			want: reads("2026-08-01T10:30:00Z", "true", "2673000")},
		{name: "advance and freeze", request: setClock(`{"advance": "1h", "frozen": true}`), status: 200,
			want: reads("2026-07-01T13:00:00Z", "true", "3600")},
		{name: "null is left out", request: setClock(`{"advance": "1h", "now": null, "frozen": null}`), status: 200,
			want: reads("2026-07-01T13:00:00Z", "false", "3600")},
		{name: "the last moment", request: setClock(`{"now": "9999-12-31T23:59:59.999999999Z", "frozen": true}`), status: 200,
			check: func(t *testing.T, a *answer) {}},
		{name: "release", request: release, before: frozen, status: 204},
		{name: "release what was not set", request: release, status: 204},

		bad("nothing", `{}`, "/now"),
		bad("nothing but null", `{"now": null}`, "/now"),
		bad("now and advance", `{"now": "2031-01-01T00:00:00Z", "advance": "1h"}`, "/advance"),
		bad("no date-time", `{"now": "2031-01-01"}`, "/now"),
		bad("no such day", `{"now": "2031-02-30T00:00:00Z"}`, "/now"),
		bad("a year too late", `{"now": "9999-12-31T23:30:00-01:00"}`, "/now"),
		bad("a year too early", `{"now": "0001-01-01T00:30:00+01:00"}`, "/now"),
		bad("the year 0", `{"now": "0000-01-01T00:00:00Z"}`, "/now"),
		bad("no duration", `{"advance": "3 days"}`, "/advance"),
		bad("a duration without a unit", `{"advance": "72"}`, "/advance"),
		bad("an absurd duration", `{"advance": "9999999999h"}`, "/advance"),
		bad("wrong types", `{"now": 1, "frozen": "yes"}`, "/now", "/frozen"),
		bad("unknown fields", `{"advance": "1h", "Now": "2031-01-01T00:00:00Z"}`, "/Now"),
		{name: "advance behind the year 9999", request: setClock(`{"advance": "24h"}`), status: 400, code: "validation_failed", fields: []string{"/advance"},
			before: []request{setClock(`{"now": "9999-12-31T12:00:00Z", "frozen": true}`)}},
		{name: "no JSON", request: setClock(`{`), status: 400, code: "invalid_json"},
		{name: "no body", request: setClock(""), status: 415, code: "unsupported_media_type"},
	}
}

// TestClockDrivesWhatIsMade wants new messages and snapshots to bear the sandbox's
// time, and other sandboxes to keep theirs.
func TestClockDrivesWhatIsMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, inSandbox("ada", setClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`)))
	for name, want := range map[string]string{"ada": "2031-01-01T00:00:00Z", "default": now.Format(time.RFC3339)} {
		var message, snapshot struct{ CreatedAt string }
		w.must(t, request{
			method: "POST", path: "/messages", body: `{"message": "Hello"}`,
			header: http.Header{"Authorization": {"Bearer demo-key"}, "X-Sandbox": {name}},
		}).decode(t, &message)
		w.must(t, inSandbox(name, request{method: "PUT", path: "/admin/snapshots/mine"})).decode(t, &snapshot)
		if message.CreatedAt != want || snapshot.CreatedAt != want {
			t.Errorf("in %s a message is of %s and a snapshot of %s, want %s", name, message.CreatedAt, snapshot.CreatedAt, want)
		}
	}
}
