package command

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/must"
)

var (
	attendeesNumber = flag.Int("attendees", 5, "how many attendees TestAttendeesAtWork has")
	workFor         = flag.Duration("for", 500*time.Millisecond, "how long TestAttendeesAtWork and TestSoak last")
	attendeesPause  = flag.Duration("pause", 50*time.Millisecond, "how long each of them waits between two requests")
)

// TestAttendeesAtWork lets the attendees of a workshop work, each in a separate sandbox, while the
// teacher's wall is open in a browser. It checks that every response is the expected one, and that
// the wall shows every sandbox and its requests. If -for is a second or more, the attendees also
// work without the wall, and without a pause. With -v the test then logs the rate of requests with
// and without the wall, the memory over time, and the delay until the wall shows a request:
//
//	go test ./handlers/command -run TestAttendeesAtWork -attendees 50 -for 5m -v -timeout 30m
func TestAttendeesAtWork(t *testing.T) {
	t.Parallel()
	browsertest.Require(t)
	p := programtest.StartPetstore(t, "--workshop", "--admin-key", "teacher", "--log-level", "error")
	r := newClassroom(t, p, *attendeesNumber)
	quiet := r.join(t, "Quiet")

	wall := openWall(t, p)
	if *workFor >= time.Second { // short runs only test
		for _, pause := range []time.Duration{*attendeesPause, 0} {
			without, with := r.compare(t, p, wall, pause)
			t.Logf("%d attendees with a pause of %v: %.0f requests a second without the wall, %.0f with it: %.2f",
				len(r.attendees), pause, without, with, with/without)
		}
	}

	r.awaitTiles(wall)
	begun := p.Usage(t)
	watched := r.watch(t, p, wall, quiet)
	rate := r.work(t, *workFor, *attendeesPause)
	usages, delays := watched()
	t.Logf("with a pause of %v: %.0f requests a second for %v", *attendeesPause, rate, *workFor)
	t.Logf("memory: %v at first, then %s", begun, eachTenth(usages))
	slices.Sort(delays)
	t.Logf("the wall shows a request after %v, %v at most, of %d", delays[len(delays)/2].Round(time.Millisecond),
		delays[len(delays)-1].Round(time.Millisecond), len(delays))

	r.awaitTiles(wall)
	done := fmt.Sprintf(`.tile .pips[aria-label="%d of 5 exercises done"]`, doneByAttendee)
	wall.Wait(fmt.Sprintf("document.querySelectorAll(%q).length === %d", done, len(r.attendees)))
	wall.WaitText(".live", "live")
}

// compare returns the requests per second without and with the wall. If there is enough time, these
// are the medians of three turns each.
func (r *classroom) compare(t *testing.T, p *programtest.Process, wall *browsertest.Page,
	pause time.Duration) (without, with float64) {
	t.Helper()
	turns, lasts := 1, 200*time.Millisecond
	if *workFor >= time.Minute {
		turns, lasts = 3, *workFor/30
	}
	var rates [2][]float64
	for range turns {
		wall.Open("about:blank")
		rates[0] = append(rates[0], r.work(t, lasts, pause))
		wall.Open(p.URL + "/workshop")
		r.awaitTiles(wall)
		rates[1] = append(rates[1], r.work(t, lasts, pause))
	}
	return median(rates[0]), median(rates[1])
}

// openWall opens the teacher's wall.
func openWall(t *testing.T, p *programtest.Process) *browsertest.Page {
	t.Helper()
	page := browsertest.Open(t, p.URL+"/workshop")
	page.Allow("status of 401") // before the key is entered
	page.Fill("textbox", "Admin key", "teacher")
	page.Click("button", "Sign in")
	page.See("button", "Door")
	return page
}

// classroom is the attendees of a workshop.
type classroom struct {
	url       string
	attendees []*attendee
	number    int // including the quiet attendee
}

func newClassroom(t *testing.T, p *programtest.Process, n int) *classroom {
	t.Helper()
	r := &classroom{url: p.URL}
	for i := range n {
		r.attendees = append(r.attendees, r.join(t, fmt.Sprintf("Attendee %d", i+1)))
	}
	return r
}

// join adds an attendee with a separate connection.
func (r *classroom) join(t *testing.T, name string) *attendee {
	t.Helper()
	a := &attendee{transport: new(http.Transport), url: r.url}
	t.Cleanup(a.transport.CloseIdleConnections)
	answer, err := a.send(t.Context(), http.MethodPost, "/join", fmt.Sprintf(`{"name": %q}`, name), http.StatusCreated)
	if err != nil {
		t.Fatal(err)
	}
	var joined struct{ URL, Key string }
	must.Succeed(t, json.Unmarshal([]byte(answer.Body), &joined))
	a.url, a.key = joined.URL, joined.Key
	r.number++
	return a
}

// work lets all attendees work for the duration, and returns the number of responses per second.
func (r *classroom) work(t *testing.T, lasts, pause time.Duration) float64 {
	t.Helper()
	var answered atomic.Int64
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	began := time.Now()
	var all sync.WaitGroup
	for _, a := range r.attendees {
		all.Go(func() {
			for first := true; first || ctx.Err() == nil; first = false { // a started day is completed
				n, err := a.day(t.Context(), pause)
				answered.Add(int64(n))
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return float64(answered.Load()) / time.Since(began).Seconds()
}

// awaitTiles waits until the wall has a tile for each attendee.
func (r *classroom) awaitTiles(wall *browsertest.Page) {
	wall.Wait(fmt.Sprintf(`document.querySelectorAll(".tile").length === %d`, r.number))
}

// watch makes requests as the quiet attendee, and waits until the wall shows each of them. The
// returned function stops this, and returns the usage of the server and the delays of the wall.
func (r *classroom) watch(t *testing.T, p *programtest.Process, wall *browsertest.Page,
	quiet *attendee) func() ([]programtest.Usage, []time.Duration) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var usages []programtest.Usage
	var delays []time.Duration
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 1_000_000; ctx.Err() == nil || len(delays) == 0; n++ {
			path := fmt.Sprintf("/pets/%d", n)
			sent := time.Now()
			if _, err := quiet.send(t.Context(), http.MethodGet, path, "", http.StatusNotFound); err != nil {
				t.Error(err)
				return
			}
			if !shows(wall, path) {
				t.Errorf("the wall does not show %s", path)
				return
			}
			delays = append(delays, time.Since(sent))
			usages = append(usages, p.Usage(t))
		}
	}()
	return func() ([]programtest.Usage, []time.Duration) {
		stop()
		<-done
		if len(delays) == 0 {
			t.FailNow()
		}
		return usages, delays
	}
}

// shows reports whether a tile of the wall shows the text within 20 seconds.
func shows(wall *browsertest.Page, text string) bool {
	return browsertest.Eval[bool](wall, fmt.Sprintf(`new Promise((then) => {
		const there = () => [...document.querySelectorAll(".tile")].some((tile) => tile.innerText.includes(%q))
		if (there()) return then(true)
		const observer = new MutationObserver(() => there() && end(true))
		const timer = setTimeout(() => end(false), 20000)
		const end = (found) => { observer.disconnect(); clearTimeout(timer); then(found) }
		observer.observe(document.querySelector(".wall"), {subtree: true, childList: true, characterData: true})
	})`, text))
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// eachTenth formats the memory at ten moments.
func eachTenth(usages []programtest.Usage) string {
	var memory []string
	for i := range 10 {
		memory = append(memory, fmt.Sprintf("%.1f", float64(usages[(len(usages)-1)*(i+1)/10].Resident)/1e6))
	}
	return strings.Join(memory, ", ") + " MB"
}

// attendee is an attendee of a workshop, with a sandbox and its key.
type attendee struct {
	transport *http.Transport
	url, key  string
}

// doneByAttendee is the number of exercises that a day completes, which is all of them.
const doneByAttendee = 5

// day does the exercises, with a pause after each request: it reads and writes, reads headers,
// makes mistakes, and restores the data. It returns the number of responses.
func (a *attendee) day(ctx context.Context, pause time.Duration) (answered int, err error) {
	var pet struct{ ID int }
	do := func(method, path, body string, status int, headers ...string) (answer programtest.Answer) {
		if err == nil {
			answer, err = a.send(ctx, method, path, body, status, headers...)
		}
		if err == nil {
			answered++
			time.Sleep(pause) // at the pace of a person
		}
		return answer
	}
	do("GET", "/pets?status=sold", "", 200)
	do("GET", "/pets?limit=20&sort=-name", "", 200)
	do("POST", "/pets", `{"name": ""}`, 400)
	do("POST", "/pets", `{"name": "Rex", "categoryId": 4711}`, 422)
	made := do("POST", "/pets", `{"name": "Rex", "categoryId": 1}`, 201)
	if err != nil {
		return answered, err
	}
	if err := json.Unmarshal([]byte(made.Body), &pet); err != nil {
		return answered, err
	}
	path := fmt.Sprintf("/pets/%d", pet.ID)
	tag := do("GET", path, "", 200).Header.Get("Etag")
	do("PATCH", path, `{"status": "pending"}`, 200, "If-Match", tag)
	do("PATCH", path, `{"status": "sold"}`, 412, "If-Match", tag)
	do("GET", fmt.Sprintf("/pets?id=%d", pet.ID), "", 200)
	do("POST", "/store/orders", fmt.Sprintf(`{"petId": %d}`, pet.ID), 201)
	do("GET", "/store/inventory", "", 200)
	do("GET", "/nowhere", "", 404)
	do("DELETE", path, "", 204)
	do("POST", "/admin/reset?only=data", "", 200)
	return answered, err
}

// send makes a request with the attendee's key and returns the response, which must have the given
// status.
func (a *attendee) send(ctx context.Context, method, path, body string, status int,
	headers ...string) (programtest.Answer, error) {
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	if a.key != "" {
		headers = append(headers, "Authorization", "Bearer "+a.key)
	}
	ctx, cancel := context.WithTimeout(ctx, programtest.Patience)
	defer cancel()
	answer, err := programtest.Do(ctx, a.transport, method, a.url+path, strings.NewReader(body), headers...)
	if err == nil && answer.Status != status {
		err = fmt.Errorf("%s %s: %d, want %d: %.200s", method, path, answer.Status, status, answer.Body)
	}
	return answer, err
}
