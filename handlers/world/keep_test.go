package world_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// server returns a registry that starts with the seed, at the given time.
func server(t testing.TB, seed uint64, at time.Time, max int, faults ...fault.Rule) *registry.Registry {
	t.Helper()
	return serverAt(t, seed, func() time.Time { return at }, max, faults...)
}

func serverAt(t testing.TB, seed uint64, now func() time.Time, max int, faults ...fault.Rule) *registry.Registry {
	t.Helper()
	sizes := fixtures.Sizes{Pets: 3, Categories: 2, Orders: 2}
	baseline, err := fixtures.Generate(seed, sizes, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := registry.New(registry.Options{Options: sandbox.Options{
		Origin: sandbox.Baseline{State: baseline, Seed: seed, Sizes: &sizes}, MaxRecords: 1000, MaxBytes: 1 << 20,
		Machine: now,
		Operations: []lifecycle.Operation{{ID: "listPets", Method: "GET", Path: "/pets"},
			{ID: "getPet", Method: "GET", Path: "/pets/{petId}"}},
		Faults: faults,
	}}, max, 0)
	t.Cleanup(r.Close)
	return r
}

var evening = time.Date(2026, time.March, 14, 20, 0, 0, 0, time.UTC)

// create adds a message.
func create(t testing.TB, sb *registry.Entry, text string) {
	t.Helper()
	_, err := sb.Update(&journal.Event{Name: "message.created"}, func(tx *store.Tx) error {
		_, err := store.Messages.Create(tx, store.Message{Message: text, CreatedAt: sb.Clock.Now()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func made(t testing.TB, r *registry.Registry, name string, o registry.CreateOptions) *registry.Entry {
	t.Helper()
	sb, _, _, err := r.Make(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return sb
}

func keep(t testing.TB, r *registry.Registry) string {
	t.Helper()
	text, left := keepLines(t, r, 1<<20)
	if len(left) > 0 {
		t.Fatalf("%q are left out", left)
	}
	return text
}

// keepLines writes the sandboxes in lines of at most the given number of bytes.
func keepLines(t testing.TB, r *registry.Registry, most int64) (text string, left []string) {
	t.Helper()
	var f memoryFile
	left, err := world.Keep(&f, r, most)
	if err != nil {
		t.Fatal(err)
	}
	return f.String(), left
}

// memoryFile is an append-only file in memory.
type memoryFile struct{ bytes.Buffer }

func (f *memoryFile) Truncate(size int64) error { f.Buffer.Truncate(int(size)); return nil }

func (f *memoryFile) Seek(int64, int) (int64, error) { return int64(f.Len()), nil }

// TestKeptLinesAreBounded checks a sandbox, a template and a baseline that are too long for a
// line.
func TestKeptLinesAreBounded(t *testing.T) {
	t.Parallel()
	r := server(t, 1, evening, 100)
	made(t, r, "small", registry.CreateOptions{})
	large := made(t, r, "large", registry.CreateOptions{})
	for i := range 100 {
		create(t, large, strings.Repeat(string(rune('a'+i%26)), 250))
	}
	whole, left := keepLines(t, r, 1<<20)
	if len(left) > 0 {
		t.Fatalf("%q are left out of lines of 1 MiB", left)
	}
	const most = 16 << 10
	text, left := keepLines(t, r, most)
	if !slices.Equal(left, []string{"large"}) {
		t.Errorf("%q are left out, want large:\n%.3000s", left, text)
	}
	for line := range strings.Lines(text) {
		if len(line) > most {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
	if len(text) >= len(whole) {
		t.Errorf("%d of %d bytes are written", len(text), len(whole))
	}
	again := restored(t, text, server(t, 1, evening, 100))
	if _, err := again.Find("small"); err != nil {
		t.Error(err)
	}
	if _, err := again.Find("large"); err == nil {
		t.Error("large is there")
	}
	// The fake data of the baseline does not fit either, and is generated again.
	if text, left := keepLines(t, r, 400); !slices.Equal(left, []string{"large"}) {
		t.Errorf("%q are left out, want large", left)
	} else {
		restored(t, text, server(t, 1, evening, 100))
	}
}

func restored(t testing.TB, text string, r *registry.Registry) *registry.Registry {
	t.Helper()
	if err := world.Restore(strings.NewReader(text), r, 1<<20); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// busy returns a server on which a class has worked for a day.
func busy(t testing.TB) *registry.Registry {
	r := server(t, 7, evening, 100)
	create(t, r.Default(), "a text\nof two lines  with spaces")
	ada := made(t, r, "Ada Lovelace", registry.CreateOptions{Key: new("adas"), Private: new(true)})
	create(t, ada, "before")
	if _, _, err := ada.Snapshots.Take("before", ada.Store.Keep(), evening); err != nil {
		t.Fatal(err)
	}
	create(t, ada, "after")
	ada.Clock.Set(time.Date(2031, time.May, 1, 0, 0, 0, 0, time.UTC), true)
	if _, err := ada.Faults.Add(fault.Rule{Status: new(503), Times: new(2), Applied: 1}, 0); err != nil {
		t.Fatal(err)
	}
	setLifecycle(t, ada, "getPet",
		lifecycle.Lifecycle{Deprecated: true, DeprecatedSince: evening, Sunset: evening.AddDate(1, 0, 0),
			Stability: lifecycle.Stable})
	ada.DrawNext(43)
	bob := made(t, r, "bob", registry.CreateOptions{Key: new("bobs")})
	bob.Clock.Set(evening.Add(time.Hour), false)
	if _, err := r.TakeTemplate("bob"); err != nil {
		t.Fatal(err)
	}
	made(t, r, "of-the-first", registry.CreateOptions{})
	create(t, bob, "lesson")
	if _, err := r.TakeTemplate("bob"); err != nil {
		t.Fatal(err)
	}
	made(t, r, "of-the-second", registry.CreateOptions{})
	changeTemplate(t, r, "listPets")
	made(t, r, "of-the-changed", registry.CreateOptions{})
	return r
}

func setLifecycle(t testing.TB, sb *registry.Entry, operationID string, l lifecycle.Lifecycle) {
	t.Helper()
	op, err := sb.Lifecycles.Find(operationID)
	if err != nil {
		t.Fatal(err)
	}
	sb.Lifecycles.Set(op, l)
}

// changeTemplate makes an operation beta in the template.
func changeTemplate(t testing.TB, r *registry.Registry, operationID string) {
	t.Helper()
	err := r.ChangeTemplate(func(next *registry.Entry) error {
		setLifecycle(t, next, operationID, lifecycle.Lifecycle{Stability: lifecycle.Beta})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestKeep checks that a restored server writes the same file again, whatever data it would have
// started with.
func TestKeep(t *testing.T) {
	t.Parallel()
	text := keep(t, busy(t))
	for _, seed := range []uint64{7, 8} {
		again := restored(t, text, server(t, seed, evening, 100))
		if got := keep(t, again); got != text {
			t.Errorf("seed %d: kept again it is\n%s\nwas\n%s", seed, got, text)
		}
	}
	if n := strings.Count(text, `{"base":`); n != 2 {
		t.Errorf("%d baselines are written, want each once:\n%s", n, text)
	}
	if n := strings.Count(text, `{"template":`); n != 3 {
		t.Errorf("%d templates are written, want each once:\n%s", n, text)
	}
	if strings.Contains(text, "adas") || strings.Contains(text, "bobs") {
		t.Errorf("a key is in it:\n%s", text)
	}
}

// TestRestoredServer checks the behaviour of a restored server.
func TestRestoredServer(t *testing.T) {
	t.Parallel()
	morning := evening.Add(12 * time.Hour)
	latency := fault.Rule{Delay: &fault.Delay{FixedMs: new(5)}}
	r := restored(t, keep(t, busy(t)), server(t, 8, morning, 100, latency))
	find := func(name string) *registry.Entry {
		sb, err := r.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return sb
	}
	ada, bob := find("Ada Lovelace"), find("bob")
	key := registry.DigestOf("adas")
	if !ada.Private() || !ada.OpenedBy(&key) || !r.KnowsKey(&key) || ada.Title != "Ada Lovelace" || bob.Private() ||
		bob.Owner() == nil || !ada.Created.Equal(evening) {
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
	if _, err := r.TakeTemplate(sandbox.Default); err != nil {
		t.Fatal(err)
	}
	made(t, r, "ada", registry.CreateOptions{})
	r = restored(t, keep(t, r), server(t, 8, evening, 100))
	changeTemplate(t, r, "getPet")
	ada, err := r.Find("ada")
	if err != nil {
		t.Fatal(err)
	}
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
	for name, test := range map[string]struct{ text, want string }{
		"nothing":      {"", "line 1: the file ends here"},
		"another file": {`{"pets": []}` + "\n", "line 1: the first line must be {\"format\": 1, …}"},
		"no JSON":      {"# notes\n", "line 1: jsontext: invalid character '#'"},
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

// TestKeepFails checks that Keep returns the writer's error.
func TestKeepFails(t *testing.T) {
	t.Parallel()
	r := busy(t)
	size := len(keep(t, r))
	for most := 0; most < size; most += 501 {
		if _, err := world.Keep(&full{room: most}, r, 1<<20); err != errDisk {
			t.Fatalf("after %d bytes: %v", most, err)
		}
	}
}

var errDisk = fmt.Errorf("no space left: %w", io.ErrShortWrite)

type full struct {
	memoryFile
	room int
}

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

// TestEvictionAfterRestore checks that restored sandboxes are evicted in the order before the
// restart: first unchanged ones, then those that only the service has changed.
func TestEvictionAfterRestore(t *testing.T) {
	t.Parallel()
	visited := func(r *registry.Registry, name string) *registry.Entry {
		sb := r.Acquire(sandbox.Name{Canonical: name, Title: name})
		defer sb.Release()
		sb, err := r.Register(sb)
		if err != nil {
			t.Fatal(err)
		}
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

// TestLargestCounts checks that a server reads what it has written after a file set the largest counts.
func TestLargestCounts(t *testing.T) {
	t.Parallel()
	r := server(t, 7, evening, 100)
	sb := r.Default().Sandbox
	w, err := world.Read([]byte(`{"format": 1, "baseline": {}, "state": {}, "draw": 9007199254740991,
		"faults": [{"id": 9007199254740991, "applied": 9223372036854775807, "status": 503}],
		"nextFault": 9007199254740991}`), sb, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sb.Load(w); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		draws := sb.Draw()
		sb.Faults.Decide(&fault.Call{}, &draws)
	}
	if _, err := sb.Faults.Add(fault.Rule{Status: new(500)}, 0); err != nil {
		t.Fatal(err)
	}
	restored(t, keep(t, r), server(t, 7, evening, 100))
}
