package handlers_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
)

// actor is one test among many on one server: a client that does things at random
// and knows what it must be told.
type actor struct {
	*model
	t      *testing.T
	where  string // for failures
	name   string // of the sandbox
	rng    *rand.Rand
	client *http.Client
	url    string
	done   []string // the last steps, for failures
	told   []string // all answers of the service
	failed bool
}

func newActor(t *testing.T, where, name string, seed uint64) *actor {
	return &actor{model: newModel(), t: t, where: where, name: name, rng: rand.New(rand.NewPCG(1, seed))}
}

func (a *actor) run(client *http.Client, url string, steps int) {
	a.client, a.url = client, url
	all := []func(*actor){
		(*actor).create, (*actor).create, (*actor).create, (*actor).createOnce, (*actor).change, (*actor).delete, (*actor).list,
		(*actor).list, (*actor).find, (*actor).message, (*actor).roll, (*actor).roll, (*actor).resetAll, (*actor).resetPart,
		(*actor).undo, (*actor).keep, (*actor).restore, (*actor).setClock, (*actor).advance, (*actor).releaseClock, (*actor).fault,
		(*actor).clearFaults, (*actor).retire, (*actor).revive, (*actor).journal, (*actor).report, (*actor).fork, (*actor).drop,
	}
	a.list() // makes the sandbox, which a read of admin would not
	for range steps {
		all[a.rng.IntN(len(all))](a)
		if a.list(); a.failed {
			return
		}
	}
	a.journal()
	a.report()
}

// expect makes a request and fails the actor unless the answer has the status and
// is the own sandbox's. It returns the answer's body.
func (a *actor) expect(status int, method, path, body string, header ...string) string {
	r, err := http.NewRequest(method, a.url+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("X-Client", a.name)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	switch prefixed := a.rng.IntN(2) == 0; {
	case prefixed:
		r.URL.Path = "/sandboxes/" + a.name + r.URL.Path
	case a.name != "default":
		r.Header.Set("X-Sandbox", a.name)
	}
	response, err := a.client.Do(r)
	if err != nil {
		a.fail("%s %s: %v", method, path, err)
		return ""
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	a.done = append(a.done, fmt.Sprintf("%s %s %s = %d", method, path, body, response.StatusCode))
	sandbox, location := response.Header.Get("X-Sandbox"), strings.TrimPrefix(response.Header.Get("Location"), "/sandboxes/"+a.name)
	if err != nil || sandbox != a.name || status != 0 && response.StatusCode != status {
		a.fail("%s %s = %d of %s, want %d of %s: %s", method, path, response.StatusCode, sandbox, status, a.name, answer)
	}
	if !strings.HasPrefix(path, "/admin") {
		a.requests++
		a.told = append(a.told, fmt.Sprintf("%s %s = %d %s %s %s %s", method, path, response.StatusCode, location,
			response.Header.Get("Idempotency-Replayed"), response.Header.Get("Deprecation"), strings.ReplaceAll(string(answer), "/sandboxes/"+a.name, "")))
	}
	if status == 0 {
		return fmt.Sprint(response.StatusCode)
	}
	return strings.TrimSpace(string(answer))
}

func (a *actor) fail(format string, args ...any) {
	if !a.failed {
		a.t.Errorf("%s (%s): %s\nafter\n%s", a.name, a.where, fmt.Sprintf(format, args...), strings.Join(a.done[max(0, len(a.done)-15):], "\n"))
	}
	a.failed = true
}

// same fails the actor unless an answer is what the model says.
func (a *actor) same(what string, got, want any) {
	if got != want {
		a.fail("%s is\n%v\nwant\n%v", what, got, want)
	}
}

func (a *actor) decode(answer string, to any) {
	if err := json.Unmarshal([]byte(answer), to); err != nil {
		a.fail("%v in %s", err, answer)
	}
}

// anID returns the id of a pet that there may be.
func (a *actor) anID() int { return 1 + a.rng.IntN(a.next) }

func (a *actor) create() { a.createBy("") }

func (a *actor) createOnce() { a.createBy(`"the-same-in-every-sandbox"`) }

func (a *actor) createBy(key string) {
	if a.retired {
		a.uses++
	}
	refused := a.refusal()
	status := http.StatusCreated
	if refused != 0 {
		status = refused
	}
	var header []string
	if key != "" {
		header = []string{"Idempotency-Key", key}
	}
	answer := a.expect(status, "POST", "/pets", `{"name": "Bello", "categoryId": 1}`, header...)
	if refused != 0 {
		return
	}
	id := a.next
	replayed := key != "" && a.key != 0
	if replayed {
		id = a.key
	} else {
		a.write(a.with(func(d *data) { d.pets[id], d.next = "available", id+1 }))
	}
	if key != "" {
		a.key = id
	}
	a.same("the new pet", answer, fmt.Sprintf(`{"id":%d,"name":"Bello","categoryId":1,"status":"available"}`, id))
}

func (a *actor) change() {
	id := a.anID()
	old, ok := a.pets[id]
	if !ok {
		a.expect(404, "PATCH", fmt.Sprint("/pets/", id), `{"status": "sold"}`)
		return
	}
	status := []string{"available", "pending", "sold"}[a.rng.IntN(3)]
	a.expect(200, "PATCH", fmt.Sprint("/pets/", id), `{"status": "`+status+`"}`)
	if status != old { // what changes nothing cannot be undone
		a.write(a.with(func(d *data) { d.pets[id] = status }))
	}
}

func (a *actor) delete() {
	id := a.anID()
	if _, ok := a.pets[id]; !ok {
		a.expect(404, "DELETE", fmt.Sprint("/pets/", id), "")
		return
	}
	a.expect(204, "DELETE", fmt.Sprint("/pets/", id), "")
	a.write(a.with(func(d *data) { delete(d.pets, id) }))
}

func (a *actor) list() {
	var pets []struct {
		ID     int
		Status string
	}
	a.decode(a.expect(200, "GET", "/pets?limit=1000", ""), &pets)
	var b strings.Builder
	for _, p := range pets {
		fmt.Fprintf(&b, "%d %s\n", p.ID, p.Status)
	}
	a.same("the list", b.String(), a.data.list())
}

func (a *actor) find() {
	id := a.anID()
	a.uses++ // getPet is deprecated
	status := 404
	if _, ok := a.pets[id]; ok {
		status = 200
	}
	a.expect(status, "GET", fmt.Sprint("/pets/", id), "")
}

func (a *actor) message() {
	var message struct {
		ID        int
		CreatedAt time.Time
	}
	a.decode(a.expect(201, "POST", "/messages", `{"message": "Hello"}`, "Authorization", "Bearer demo-key"), &message)
	a.write(a.with(func(d *data) { d.messages++ }))
	a.same("the message's id", message.ID, a.messages)
	a.same("the message's time", message.CreatedAt, a.now())
}

func (a *actor) now() time.Time { return now.Add(time.Duration(a.clock.offset) * time.Second) }

// roll calls what fails by chance, of which the run alone knows when.
func (a *actor) roll() {
	status := a.expect(0, "GET", "/categories", "")
	if status != "200" && (status != "500" || !a.dice) {
		a.fail("listCategories = %s", status)
	}
}
