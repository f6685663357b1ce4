package handlers_test

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

func (a *actor) resetAll() {
	a.expect(200, "POST", "/admin/reset", "")
	kept := a.snapshots
	a.model = newModel()
	a.snapshots = kept
}

func (a *actor) resetPart() {
	parts := []string{"data", "clock", "faults", "lifecycle", "journal", "report", "keys"}
	part := parts[a.rng.IntN(len(parts))]
	a.expect(200, "POST", "/admin/reset?only="+part, "")
	a.reset(part)
}

func (a *actor) undo() {
	steps := 1 + a.rng.IntN(2)
	body := fmt.Sprintf(`{"steps": %d}`, steps)
	if steps > len(a.history) {
		a.expect(409, "POST", "/admin/undo", body)
		return
	}
	a.expect(200, "POST", "/admin/undo", body)
	at := len(a.history) - steps
	a.data, a.history = a.history[at], a.history[:at]
	a.key = 0 // the pet that it made may be gone
}

func (a *actor) keep() {
	name := fmt.Sprint("s", a.rng.IntN(3))
	status := 201
	if _, ok := a.snapshots[name]; ok {
		status = 200
	}
	a.expect(status, "PUT", "/admin/snapshots/"+name, "")
	a.snapshots[name] = a.data
}

func (a *actor) restore() {
	name := fmt.Sprint("s", a.rng.IntN(3))
	kept, ok := a.snapshots[name]
	if !ok {
		a.expect(404, "POST", "/admin/snapshots/"+name+"/restore", "")
		return
	}
	a.expect(200, "POST", "/admin/snapshots/"+name+"/restore", "")
	a.write(kept)
	a.key = 0
}

func (a *actor) wantClock(answer string) {
	var clock struct {
		Now    time.Time
		Frozen bool
	}
	a.decode(answer, &clock)
	a.same("the clock", clock.Now, a.now())
	a.same("frozen", clock.Frozen, a.clock.frozen)
}

func (a *actor) setClock() {
	a.clock.offset, a.clock.frozen = a.rng.IntN(1e6), a.rng.IntN(2) == 0
	a.wantClock(a.expect(200, "PUT", "/admin/clock", fmt.Sprintf(`{"now": %q, "frozen": %t}`, a.now().Format(time.RFC3339), a.clock.frozen)))
}

func (a *actor) advance() {
	by := a.rng.IntN(20_000) - 5000
	a.clock.offset += by
	a.wantClock(a.expect(200, "PUT", "/admin/clock", fmt.Sprintf(`{"advance": "%ds"}`, by)))
}

func (a *actor) releaseClock() {
	a.expect(204, "DELETE", "/admin/clock", "")
	a.reset("clock")
	a.wantClock(a.expect(200, "GET", "/admin/clock", ""))
}

func (a *actor) fault() {
	times := 1 + a.rng.IntN(3)
	a.expect(201, "POST", "/admin/faults", fmt.Sprintf(`{"match": {"operationId": "createPet"}, "status": 503, "times": %d}`, times))
	a.expect(201, "POST", "/admin/faults", `{"match": {"operationId": "listCategories"}, "status": 500, "probability": 0.5}`)
	a.faults += times
	a.dice = true
}

func (a *actor) clearFaults() {
	a.expect(204, "DELETE", "/admin/faults", "")
	a.faults, a.dice = 0, false
}

func (a *actor) retire() {
	a.retired, a.sunset = true, a.clock.offset+a.rng.IntN(10_000)
	a.expect(200, "PUT", "/admin/operations/createPet", fmt.Sprintf(`{"deprecated": true, "sunset": %q, "enforceSunset": true}`,
		now.Add(time.Duration(a.sunset)*time.Second).Format(time.RFC3339)))
}

func (a *actor) revive() {
	a.expect(204, "DELETE", "/admin/operations/createPet", "")
	a.retired = false
}

// journal wants all of the own requests in it, and nobody else's.
func (a *actor) journal() {
	var journal struct {
		Matched  int
		Requests []struct{ Headers map[string]string }
	}
	// It waits, since a request is journalled when its answer is on the way.
	query := "?limit=1000"
	if a.requests > 0 {
		query += fmt.Sprintf("&count=%d&wait=60s", a.requests)
	}
	a.decode(a.expect(200, "GET", "/admin/requests"+query, ""), &journal)
	a.same("the number of requests", journal.Matched, a.requests)
	for _, entry := range journal.Requests {
		a.same("the client of a request", entry.Headers["X-Client"], a.name)
	}
}

func (a *actor) report() {
	var report struct {
		Uses []struct {
			ClientName string
			Count      int
		}
	}
	a.decode(a.expect(200, "GET", "/admin/report", ""), &report)
	uses := 0
	for _, use := range report.Uses {
		a.same("the client of a use", use.ClientName, a.name)
		uses += use.Count
	}
	a.same("the number of uses", uses, a.uses)
}

// fork makes a copy, writes to it and drops it: it is nobody's business but the
// copy's.
func (a *actor) fork() {
	name := a.name + ".fork"
	a.expect(201, "POST", "/admin/sandboxes/"+a.name+"/fork", `{"name": "`+name+`"}`)
	copied := &actor{model: newModel(), t: a.t, where: a.where + ", fork", name: name, rng: a.rng, client: a.client, url: a.url, done: slices.Clone(a.done)}
	copied.data, copied.clock, copied.faults, copied.dice, copied.retired, copied.sunset = a.data, a.clock, a.faults, a.dice, a.retired, a.sunset
	copied.snapshots = maps.Clone(a.snapshots)
	for _, step := range []func(){copied.list, copied.create, copied.delete, copied.advance, copied.keep, copied.restore, copied.fault, copied.undo, copied.journal, copied.list} {
		step()
	}
	a.failed = a.failed || copied.failed
	a.expect(204, "DELETE", "/admin/sandboxes/"+name, "")
}

// drop makes an end of the sandbox; the next request makes a new one.
func (a *actor) drop() {
	if a.name == "default" {
		a.expect(409, "DELETE", "/admin/sandboxes/default", "")
		return
	}
	a.expect(204, "DELETE", "/admin/sandboxes/"+a.name, "")
	a.model = newModel()
}
