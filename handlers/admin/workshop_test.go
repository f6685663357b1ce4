package admin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

func workshop(c *handlers.Config) { c.Workshop = true }

func join(name string) Request { return Post("/join", `{"name": "`+name+`"}`) }

// joined joins the workshop, and returns the attendee's sandbox and key.
func joined(t *testing.T, w *World, name string) admin.Attendee {
	t.Helper()
	a := w.Must(t, join(name))
	var attendee admin.Attendee
	a.Decode(t, &attendee)
	return attendee
}

// TestNamesOfAttendees checks that the names of sandboxes are readable, typeable and unique.
func TestNamesOfAttendees(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop)
	long := strings.Repeat("a", 47)
	for _, test := range [][2]string{
		{"Ada Lovelace", "ada-lovelace"}, {"ada  LOVELACE!", "ada-lovelace-2"}, {"Ada, Lovelace.", "ada-lovelace-3"},
		{"default", "default-2"},
		{"", "guest"}, {"...", "guest-2"}, {"Ада", "guest-3"}, {"Zoë", "zoe"}, {"ZOE\u0308", "zoe-2"}, {"-7-", "7"},
		{"\u212a", "k"}, {"guest", "guest-4"},
		{"Łukasz Żółć", "lukasz-zolc"}, {"Søren Ærø", "soren-aero"}, {"Đặng Thị Ngọc", "dang-thi-ngoc"},
		{"İpek Işık", "ipek-isik"}, {"Groß", "gross"}, {"Ａｄａ", "ada"}, {"李明", "guest-5"},
		{long + "bcd", long + "b"}, {long + " bcd", long}, {long + "bxx", long + "b-2"},
	} {
		if got := joined(t, w, test[0]).Sandbox; got != test[1] {
			t.Errorf("%q gets %s, want %s", test[0], got, test[1])
		}
	}
}

// TestTitlesOfAttendees checks that titles are the names as typed, in every list and summary.
func TestTitlesOfAttendees(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop)
	for _, test := range [][2]string{
		{"Zoë", "Zoë"}, {"李明", "李明"}, {"Ada Lovelace", "Ada Lovelace"}, {"Ada Lovelace", "Ada Lovelace"},
		{"  Ada \u0000\n\u2003 Byron ", "Ada Byron"},
		{"", "guest-2"}, {"*", "guest-3"}, {"..", "guest-4"}, {strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{" \u00a0\u2003 ", "guest-5"}, {"\u200b\u200d\ufeff\u202e \u3164\u2800\ufe0f\U000e0041", "guest-6"},
		// composed, without overrides of direction and invisible characters.
		{"Zoe\u0308", "Zoë"}, {"\u202eadA\u202c \u2066b\u2069\u200f", "adA b"}, {"A\u200bd\ufeffa\u00ad", "Ada"},
		{"نامه\u200cای", "نامه\u200cای"}, {"👩\u200d🚀", "👩\u200d🚀"}, {"עדה", "עדה"},
	} {
		name, _ := json.Marshal(test[0])
		var attendee admin.Attendee
		w.Must(t, Post("/join", `{"name": `+string(name)+`}`)).Decode(t, &attendee)
		var listed admin.Sandbox
		w.Get(t, "/admin/sandboxes/"+attendee.Sandbox).Decode(t, &listed)
		var summary admin.Summary
		w.Get(t, "/sandboxes/"+attendee.Sandbox+"/admin").Decode(t, &summary)
		if attendee.Title != test[1] || listed.Title != test[1] || summary.Title != test[1] {
			t.Errorf("%q has the titles %q, %q and %q, want %q", test[0], attendee.Title, listed.Title, summary.Title,
				test[1])
		}
	}
}

// TestSummaryReportsKey checks that the summary reports whether the caller's key opens only this
// sandbox.
func TestSummaryReportsKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop, func(c *handlers.Config) { c.AdminKey = "root" })
	ada := joined(t, w, "Ada")
	for key, own := range map[string]bool{ada.Key: true, "root": false} {
		for _, asked := range []Request{Get("/sandboxes/ada/admin"), Post("/sandboxes/ada/admin/reset", "")} {
			var summary admin.Summary
			w.Must(t, asked.WithKey(key)).Decode(t, &summary)
			if summary.UptimeSeconds <= 0 || summary.Memory.Used <= 0 {
				t.Errorf("%+v", summary)
			}
			if summary.OwnKey != own {
				t.Errorf("%s %s says ownKey %t, want %t", asked.Method, asked.Path, summary.OwnKey, own)
			}
		}
	}
}

// TestWorkshopLimit checks that the limit of attendees does not exceed the available sandboxes.
func TestWorkshopLimit(t *testing.T) {
	t.Parallel()
	for max, places := range map[int]int{2: 1, 10: 9, 61: 60, 100: 60} {
		w := NewWorld(t, workshop, func(c *handlers.Config) { c.MaxSandboxes = max })
		var door admin.Workshop
		w.Get(t, "/admin/workshop").Decode(t, &door)
		if door.Limit != places {
			t.Errorf("with %d sandboxes the door promises %d places, want %d", max, door.Limit, places)
		}
	}
}

// TestWorkshopAddresses checks that the teacher gets the server's addresses.
func TestWorkshopAddresses(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop, func(c *handlers.Config) {
		c.Addresses = func() []string { return []string{"http://192.168.1.20:8080", "http://[2001:db8::7]:8080"} }
	})
	for _, r := range []Request{Get("/admin/workshop"), Put("/admin/workshop", `{}`), Post("/admin/workshop/end", "")} {
		var door admin.Workshop
		w.Must(t, r).Decode(t, &door)
		if diff := cmp.Diff([]string{"http://192.168.1.20:8080", "http://[2001:db8::7]:8080"},
			door.Addresses); diff != "" {
			t.Errorf("%s %s, -want +got:\n%s", r.Method, r.Path, diff)
		}
	}
}

// TestAttendees checks that the key of an attendee opens only the attendee's sandbox, and that late
// attendees start with the changes made in all sandboxes.
func TestAttendees(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop, func(c *handlers.Config) { c.AdminKey = "root" })
	root := func(r Request) Request { return r.WithKey("root") }
	by := func(a admin.Attendee, name string, r Request) Request { return Behind(name, r).WithKey(a.Key) }
	// Open to everyone.
	const door = `{"title": "", "open": true, "full": false, "joined": %d, "ended": false, "adminKey": true}`
	w.Get(t, "/join/door").ExpectJSON(t, fmt.Sprintf(door, 0))
	w.Must(t, Delete("/pets/1"))
	w.Must(t, root(Put("/admin/template", `{"from": "default"}`)))
	ada, bob := joined(t, w, "Ada"), joined(t, w, "Bob")
	w.Get(t, "/join/door").ExpectJSON(t, fmt.Sprintf(door, 2))
	w.Must(t, root(everywhere(SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`))))
	late := joined(t, w, "Late")
	for _, a := range []admin.Attendee{ada, bob, late} {
		w.Must(t, by(a, a.Sandbox, Post("/admin/reset?only=data", "")))
		w.Do(t, by(a, a.Sandbox, Get("/admin/clock"))).
			ExpectJSON(t, `{"now": "2031-01-01T00:00:00Z", "frozen": true, "offsetSeconds": 142084800}`)
		// Without a key, since the sandbox is not private.
		w.Get(t, "/sandboxes/"+a.Sandbox+"/pets").ExpectHeader(t, "X-Total-Count", "4")
		w.Do(t, by(a, "default", Post("/admin/reset", ""))).Expect(t, 403, "forbidden")
		w.Do(t, by(a, a.Sandbox, Get("/admin/sandboxes"))).Expect(t, 403, "forbidden")
	}
	w.Do(t, by(ada, bob.Sandbox, Post("/admin/reset", ""))).Expect(t, 403, "forbidden")
	w.Get(t, "/sandboxes/typo/pets").Expect(t, 404, "unknown_sandbox")
	w.ExpectNames(t, "ada", "bob", "default", "late")

	w.Must(t, root(Post("/admin/workshop/end", "")))
	w.ExpectNames(t, "default")
	w.Do(t, by(ada, ada.Sandbox, Post("/admin/reset", ""))).Expect(t, 401, "unauthorized")
	w.Get(t, "/sandboxes/ada/pets").Expect(t, 404, "unknown_sandbox")
	w.Do(t, root(Put("/admin/sandboxes/ada", ""))).Expect(t, 409, "conflict")
	w.Must(t, root(Put("/admin/workshop", `{"open": true}`)))
	if again := joined(t, w, "Ada"); again.Sandbox != "ada" || again.Key == ada.Key {
		t.Errorf("another day begins with %+v", again)
	}
	var clock struct{ Frozen bool }
	w.Do(t, root(Get("/sandboxes/ada/admin/clock"))).Decode(t, &clock)
	if clock.Frozen {
		t.Error("another day begins with the frozen clock of the one before")
	}
	w.Get(t, "/sandboxes/ada/pets").ExpectHeader(t, "X-Total-Count", "5")
}

// TestJoinRefusesOtherSites checks that pages of other sites can neither create sandboxes nor read
// keys.
func TestJoinRefusesOtherSites(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop, func(c *handlers.Config) { c.AdminOrigins = []string{"https://trusted.example"} })
	for _, origin := range []string{"https://app.example", "http://localhost:5173", "https://trusted.example", "null"} {
		a := w.Do(t, join("Ada").With("Origin", origin))
		a.Expect(t, 403, "forbidden")
		a.ExpectReadableBy(t, "")
		w.Do(t, Preflight("/join", origin, "POST", "content-type")).ExpectReadableBy(t, "")
	}
	w.Do(t, join("Ada").With("Sec-Fetch-Site", "cross-site")).Expect(t, 403, "forbidden")
	w.ExpectNames(t, "default")
	w.Do(t, join("Ada").With("Origin", w.URL)).Expect(t, 201, "")
}

// TestJoinsAreBounded checks the limit of attendees and the rate limit of joins.
func TestJoinsAreBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, workshop)
	w.Must(t, Put("/admin/workshop", `{"limit": 20}`))
	count := map[int]int{}
	for _, a := range w.InParallel(t, 50, func(int) Request { return join("Ada") }) {
		count[a.Status]++
	}
	if count[201] != 20 || count[403] != 30 || len(w.Names()) != 21 {
		t.Errorf("50 concurrent joins with a limit of 20: %v, %d sandboxes", count, len(w.Names()))
	}
	w.Must(t, Put("/admin/workshop", `{"limit": 9999}`))
	count = map[int]int{}
	for _, a := range w.InParallel(t, 200, func(int) Request { return join("Bob") }) {
		count[a.Status]++
	}
	if count[201] < 50 || count[201] > 80 || count[201]+count[429] != 200 { // the server's clock stands still
		t.Errorf("200 concurrent joins: %v", count)
	}
}

// TestUnusedSeatsAreReassigned checks that unused seats of a workshop are free again after two
// minutes.
func TestUnusedSeatsAreReassigned(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "root"} {
		config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, key })
		w := NewWorld(t, config)
		teacher := Authorization("Bearer " + key)
		if key == "" {
			teacher = nil
		}
		w.Must(t, Request{Method: "PUT", Path: "/admin/workshop", Body: `{"limit": 6}`, Header: teacher})
		for _, name := range []string{"errs", "one", "reads", "two", "looks"} {
			a := joined(t, w, name)
			own := Authorization("Bearer " + a.Key)
			switch name {
			case "reads":
				w.Get(t, "/sandboxes/reads/pets")
			case "errs": // has only asked for what does not exist
				w.Get(t, "/sandboxes/errs/pet")
			case "looks": // reads the dashboard with the attendee's key
				w.Do(t, Request{Method: "GET", Path: "/sandboxes/looks/admin", Header: own}).Expect(t, 200, "")
			default: // requests by others do not count
				w.Must(t, Request{Method: "GET", Path: "/sandboxes/" + name + "/admin/requests", Header: teacher})
				w.Must(t, Request{Method: "POST", Path: "/sandboxes/" + name + "/admin/reset", Header: teacher})
				w.Must(t, Request{Method: "POST", Path: "/sandboxes/*/admin/reset", Header: teacher})
				w.Get(t, "/sandboxes/"+name+"/docs/")
			}
			pass(time.Second)
		}
		joined(t, w, "late")
		vacant := func() (names []string) {
			var list []admin.Sandbox
			w.Must(t, Request{Method: "GET", Path: "/admin/sandboxes", Header: teacher}).Decode(t, &list)
			for _, sb := range list {
				if sb.Vacant {
					names = append(names, sb.Name)
				}
			}
			return names
		}
		full := func() bool {
			var notice admin.Notice
			w.Get(t, "/join/door").Decode(t, &notice)
			return notice.Full
		}
		pass(115*time.Second - 1)
		w.Do(t, join("Zoe")).Expect(t, 403, "forbidden")
		if got := vacant(); len(got) > 0 || !full() {
			t.Errorf("a moment too early, %v are vacant", got)
		}
		pass(1 + 3*time.Second)
		if got := vacant(); !slices.Equal(got, []string{"one", "two"}) || full() {
			t.Errorf("%v are vacant", got)
		}
		joined(t, w, "Zoe")
		w.ExpectNames(t, "default", "errs", "late", "looks", "reads", "two", "zoe")
		w.Must(t, Request{Method: "DELETE", Path: "/admin/sandboxes/two", Header: teacher}) // as the wall does
		joined(t, w, "Yan")
		w.Do(t, join("Xia")).Expect(t, 403, "forbidden")
		var door admin.Workshop
		w.Must(t, Request{Method: "GET", Path: "/admin/workshop", Header: teacher}).Decode(t, &door)
		if door.Joined != 6 {
			t.Errorf("the door is %+v", door)
		}
		if a := w.Get(t, "/sandboxes/one/pets"); a.Status != http.StatusNotFound {
			t.Errorf("the seat that was given away answers %d", a.Status)
		}
	}
}
