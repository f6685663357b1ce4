package admin_test

import (
	"testing"
	"time"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestClock(t *testing.T) { RunScenarios(t, clockScenarios()) }

// clockScenarios returns scenarios that the transcript clock.txt lacks.
func clockScenarios() []Scenario {
	reads := func(now, frozen, offset string) string {
		return `{"now": "` + now + `", "frozen": ` + frozen + `, "offsetSeconds": ` + offset + `}`
	}
	frozen := []Request{SetClock(`{"now": "2026-08-01T12:00:00Z", "frozen": true}`)}
	bad := func(name, body string, fields ...string) Scenario {
		return Refused(name, SetClock(body), 400, "validation_failed", fields...)
	}
	return []Scenario{
		Answered("set what is frozen", SetClock(`{"now": "2026-06-30T12:00:00Z"}`),
			200, reads("2026-06-30T12:00:00Z", "true", "-86400")).After(frozen...),
		Answered("advance and freeze", SetClock(`{"advance": "1h", "frozen": true}`),
			200, reads("2026-07-01T13:00:00Z", "true", "3600")),
		Answered("null is left out", SetClock(`{"advance": "1h", "now": null, "frozen": null}`),
			200, reads("2026-07-01T13:00:00Z", "false", "3600")),
		{Name: "the last moment", Request: SetClock(`{"now": "9999-12-31T23:59:59.999999999Z", "frozen": true}`),
			Status: 200,
			Check:  func(t *testing.T, a *Answer) {}},

		bad("nothing but null", `{"now": null}`, "/now"),
		bad("no date-time", `{"now": "2031-01-01"}`, "/now"),
		bad("invalid day", `{"now": "2031-02-30T00:00:00Z"}`, "/now"),
		bad("a year too late", `{"now": "9999-12-31T23:30:00-01:00"}`, "/now"),
		bad("a year too early", `{"now": "0001-01-01T00:30:00+01:00"}`, "/now"),
		bad("the year 0", `{"now": "0000-01-01T00:00:00Z"}`, "/now"),
		bad("a duration without a unit", `{"advance": "72"}`, "/advance"),
		bad("an absurd duration", `{"advance": "9999999999h"}`, "/advance"),
		bad("wrong types", `{"now": 1, "frozen": "yes"}`, "/now", "/frozen"),
		Refused("advance behind the year 9999", SetClock(`{"advance": "24h"}`),
			400, "validation_failed", "/advance").After(SetClock(`{"now": "9999-12-31T12:00:00Z", "frozen": true}`)),
		Refused("no body", SetClock(""), 415, "unsupported_media_type"),
	}
}

// TestNewRecordsHaveSandboxTime checks that new messages and snapshots have the sandbox's time, and
// that other sandboxes keep theirs.
func TestNewRecordsHaveSandboxTime(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, InSandbox("ada", SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`)))
	for name, want := range map[string]string{"ada": "2031-01-01T00:00:00Z", "default": Now.Format(time.RFC3339)} {
		var message, snapshot struct{ CreatedAt string }
		w.Must(t, Post("/messages", `{"message": "Hello"}`).WithKey("demo-key").With("X-Sandbox", name)).
			Decode(t, &message)
		w.Must(t, InSandbox(name, Put("/admin/snapshots/mine", ""))).Decode(t, &snapshot)
		if message.CreatedAt != want || snapshot.CreatedAt != want {
			t.Errorf("in %s a message is of %s and a snapshot of %s, want %s", name, message.CreatedAt,
				snapshot.CreatedAt, want)
		}
	}
}
