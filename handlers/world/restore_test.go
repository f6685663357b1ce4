package world_test

import (
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// TestRestoredServer checks the behaviour of a restored server.
func TestRestoredServer(t *testing.T) {
	t.Parallel()
	morning := evening.Add(12 * time.Hour)
	latency := fault.Rule{Delay: &fault.Delay{FixedMs: new(5)}}
	r := restored(t, keep(t, busy(t)), server(t, 8, morning, 100, latency))
	find := func(name string) *registry.Entry {
		return must.Get(r.Find(name))(t)
	}
	ada, bob := find("Ada Lovelace"), find("bob")
	key := registry.DigestOf("adas")
	if !ada.Private() || !ada.OpenedBy(&key) || !r.KnowsKey(&key) || !r.Options.KnownKeys("%61das") ||
		ada.Title != "Ada Lovelace" || bob.Private() || bob.Owner() == nil ||
		!ada.Created.Equal(evening) {
		t.Errorf("ada is %q, private %t", ada.Title, ada.Private())
	}
	if now := ada.Clock.Read(); now.Now.Year() != 2031 || !now.Frozen {
		t.Errorf("the frozen clock shows %v", now)
	}
	if now := bob.Clock.Now(); !now.Equal(morning.Add(time.Hour)) {
		t.Errorf("an hour ahead the clock shows %v", now)
	}
	if now := r.Default().Clock.Read(); !now.Now.Equal(morning) || now.Offset != 0 {
		t.Errorf("the clock that was not set shows %v", now)
	}
	if rules := ada.Faults.List(); len(rules) != 2 || rules[1].Delay == nil || rules[0].ID == rules[1].ID ||
		ada.Faults.InForce() != 2 {
		t.Errorf("the rules are %+v, want the sandbox's own and the new server's", rules)
	} else if added, err := ada.Faults.Add(latency, 0); err != nil || added.ID <= rules[1].ID {
		t.Errorf("the rule added to %+v is %+v, %v, want a new id", rules, added, err)
	}
	if err := ada.Restore("before"); err != nil ||
		ada.Store.View().ListMessages(store.MessageQuery{Paging: store.Paging{Limit: 9}}).Total != 1 {
		t.Errorf("the snapshot cannot be restored: %v", err)
	}
	fresh := made(t, r, "fresh", registry.CreateOptions{})
	if fresh.Lifecycles.Changed("listPets") == nil || fresh.Store.View() != find("of-the-second").Store.View() {
		t.Error("new sandboxes have another template")
	}
	changed := find("of-the-changed")
	if changed.Reset(); changed.Lifecycles.Changed("listPets") == nil {
		t.Error("a reset does not return to the template")
	}
	changeTemplate(t, r, "getPet")
	if changed.Reset(); changed.Lifecycles.Changed("getPet") == nil {
		t.Error("a reset does not return to the template as it was changed afterwards")
	}
	first := find("of-the-first")
	if first.Reset(); first.Lifecycles.Changed("listPets") != nil || !first.Clock.Now().Equal(morning.Add(time.Hour)) {
		t.Error("a reset does not return to the template before")
	}
	if first.Store.View() != r.Default().Baseline().State {
		t.Error("sandboxes of one baseline do not share it")
	}
}

// TestRestoredTemplateIsUnchanged checks that a sandbox of a restored template is reset to that
// template, not to a later change of it.
func TestRestoredTemplateIsUnchanged(t *testing.T) {
	t.Parallel()
	r := server(t, 7, evening, 100)
	must.Get(r.TakeTemplate(sandbox.Default))(t)
	made(t, r, "ada", registry.CreateOptions{})
	r = restored(t, keep(t, r), server(t, 8, evening, 100))
	changeTemplate(t, r, "getPet")
	ada := must.Get(r.Find("ada"))(t)
	if ada.Reset(); ada.Lifecycles.Changed("getPet") != nil {
		t.Error("a reset restores a later change of the template")
	}
}

// TestBrokenKeptFiles checks that each broken file is refused with the line and the reason.
func TestBrokenKeptFiles(t *testing.T) {
	t.Parallel()
	good := keep(t, busy(t))
	lines := strings.SplitAfter(good, "\n")
	replaced := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is missing in\n%s", old, good)
		}
		return strings.Replace(good, old, with, 1)
	}
	const notKept = "line 1: the first line must be {\"format\": 1, …}; this file was not written by --keep; " +
		"start with a world by --world, or with records by --fixtures"
	for name, test := range map[string]struct{ text, want string }{
		"nothing":       {"", "line 1: the file ends here"},
		"another file":  {`{"pets": []}` + "\n", notKept},
		"a world":       {"{\n", notKept},
		"a short world": {`{"format": 1, "seed": 1, "state": {}}` + "\n", notKept},
		"an array":      {"[]\n", notKept},
		"no JSON":       {"# notes\n", notKept},
		"a later format": {replaced(`{"format":1`, `{"shards":[],"format":2`),
			"line 1: the format is 2, but this version of the program reads 1; use a newer one"},
		"no format":      {lines[1] + lines[2], "line 1: the first line must be"},
		"no end":         {strings.Join(lines[:len(lines)-2], ""), "the file ends here, and its rest is missing"},
		"a line less":    {strings.Join(append(lines[:3:3], lines[4:]...), ""), ""},
		"half a line":    {good[:len(good)/2], "the file ends here"},
		"text behind it": {good + "{}\n", "stands behind the end"},
		"two of a name": {replaced(`"sandbox":true,"name":"of-the-first"`, `"sandbox":true,"name":"bob"`),
			"already exists"},
		"no baseline": {replaced(`"base": 1`, `"base": 9`), "there is no baseline 9"},
		"no template": {replaced(`"of":2`, `"of":99`), "there is no template 99"},
		"a bad name": {replaced(`"sandbox":true,"name":"bob"`, `"sandbox":true,"name":"Bob"`),
			`"Bob" cannot name a sandbox`},
		"a bad key":    {replaced(`"key":"`, `"key":"x`), "must be a SHA-256"},
		"a bad record": {replaced(`"message": "lesson"`, `"message": 5`), "message: must be a string"},
		"a long line":  {lines[0] + `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, "line 2: has more than 1MiB"},
	} {
		err := world.Restore(strings.NewReader(test.text), server(t, 7, evening, 100), 1<<20)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for cut := 0; cut < len(good); cut += 97 {
		if err := world.Restore(strings.NewReader(good[:cut]), server(t, 7, evening, 100), 1<<20); err == nil {
			t.Fatalf("a file of %d of %d bytes is taken", cut, len(good))
		}
	}
	if err := world.Restore(strings.NewReader(good), server(t, 7, evening, 3), 1<<20); err == nil ||
		!strings.Contains(err.Error(), "room") {
		t.Errorf("more sandboxes than there can be: %v", err)
	}
}

// TestEvictionAfterRestore checks that restored sandboxes are evicted in the order before the
// restart: first unchanged ones, then those that only the service has changed.
func TestEvictionAfterRestore(t *testing.T) {
	t.Parallel()
	visited := func(r *registry.Registry, name string) *registry.Entry {
		sb := r.Acquire(sandbox.Name{Canonical: name, Title: name})
		defer sb.Release()
		sb = must.Get(r.Register(sb))(t)
		return sb
	}
	r := server(t, 7, evening, 100)
	create(t, visited(r, "changed"), "a text")
	visited(r, "unchanged")
	visited(r, "claimed").Claim()
	now := evening
	again := restored(t, keep(t, r), serverAt(t, 7, func() time.Time { return now }, 4))
	now = now.Add(time.Hour)
	for _, gone := range []string{"unchanged", "changed"} {
		visited(again, "new-after-"+gone).Claim()
		if _, err := again.Find(gone); err == nil {
			t.Errorf("%s has made no room", gone)
		}
	}
	if again.HasRoom() {
		t.Error("one that is claimed makes room")
	}
}

// TestSeatsAfterRestore checks that the door is as before a restart, except for a limit that the
// server has no room for, that a used seat still belongs to its attendee, and that an unused one is
// assigned as before.
func TestSeatsAfterRestore(t *testing.T) {
	t.Parallel()
	r := server(t, 7, evening, 100)
	r.OpenDoor()
	for _, name := range []string{"ada", "bob"} {
		sb, _, err := r.Join(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "ada" {
			sb.Use()
		}
	}
	r.ChangeDoor(registry.DoorChange{Title: new("APIs"), Open: new(false), Limit: new(3)})
	again := server(t, 7, evening.Add(time.Hour), 3)
	again.OpenDoor()
	restored(t, keep(t, r), again)
	if ada, err := again.Find("ada"); err != nil || ada.Vacant() {
		t.Errorf("the seat that was used is vacant, %v", err)
	}
	want := registry.Door{Title: "APIs", Limit: 2, Joined: 2, Vacant: true}
	if door, _ := again.Door(); door != want {
		t.Errorf("the door is %+v, want %+v", door, want)
	}
	again.ChangeDoor(registry.DoorChange{Open: new(true)})
	if _, _, err := again.Join("eve"); err != nil {
		t.Error(err)
	}
	if _, err := again.Find("bob"); err == nil {
		t.Error("the vacant seat was not given away")
	}
}

// TestRestoreExceedsSandboxMemory restores a sandbox that counts more bytes than a sandbox may hold: in the
// running server, its states shared what the file has twice.
func TestRestoreExceedsSandboxMemory(t *testing.T) {
	t.Parallel()
	r := server(t, 7, evening, 100)
	for _, letter := range []string{"x", "y"} { // the data, and another baseline
		large, err := store.Build(func(tx *store.Tx) error {
			for range 180 {
				if _, err := store.Messages.Create(tx, store.Message{Message: strings.Repeat(letter, 4000)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		r.Default().SetBaseline(sandbox.Baseline{State: large})
		if letter == "x" {
			r.Default().Reset()
		}
	}
	again := restored(t, keep(t, r), server(t, 7, evening, 100))
	if used := again.Default().Usage().Total(); used < 2*180*4000 {
		t.Errorf("the restored sandbox uses %d bytes", used)
	}
}
