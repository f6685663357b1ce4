//go:build unix

package command

import (
	"fmt"
	"net/http"
	"syscall"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// figures are the measurements of one step.
type figures struct {
	step  string
	known time.Duration // from the beginning of an absence to the first 503, or 0 if there was no 503
	lost  int           // responses with 502 during the absence
}

func (g *figures) add(reply fleetReply, a *absence) {
	if a == nil || !a.until.IsZero() {
		return
	}
	if reply.status == http.StatusServiceUnavailable && g.known == 0 {
		g.known = reply.end.Sub(a.since)
	}
	if reply.status == http.StatusBadGateway {
		g.lost++
	}
}

// step begins a step, and checks the figures of the previous one.
func (f *fleet) step(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if lost := f.figures.lost; lost > fleetPeers {
		f.t.Errorf("%s: %d requests got a 502, and only %d can have been in flight", f.figures.step, lost, fleetPeers)
	}
	f.figures = figures{step: name}
}

// suspends makes a replica unavailable by calling stop, and waits until each of its visitors gets a
// 503.
func (f *fleet) suspends(replica string, a absence, stop func(p *programtest.Process)) {
	f.t.Helper()
	f.mu.Lock()
	f.absences[replica] = &a
	a.since = time.Now()
	f.mu.Unlock()
	stop(f.replicas[replica])
	f.mu.Lock()
	a.sure = time.Now()
	f.mu.Unlock()
	f.until("a 503 for every sandbox of "+replica, f.of(replica), func(last fleetReply) bool {
		return last.status == http.StatusServiceUnavailable
	})
	f.mu.Lock()
	if known := f.figures.known; a.found > 0 && known > a.found {
		f.t.Errorf("the proxy knew after %v that %s hangs, want %v at most", known, replica, a.found)
	}
	f.mu.Unlock()
	for time.Since(a.sure) < a.found { // until then the proxy may still send joins to the replica
		if _, _, err := f.ask("GET", "/join/door", ""); err != nil {
			f.t.Fatal(err)
		}
	}
	for range 2 * len(f.replicas) { // visitors who join now must get a sandbox on another replica
		if v := f.join(); v.home == replica {
			f.t.Errorf("%s is on %s, which is away", v.name, v.home)
		}
	}
}

// returned waits until each visitor of a replica gets the status, and ends the replica's absence.
func (f *fleet) returned(replica string, status int) {
	f.t.Helper()
	visitors := f.of(replica)
	f.until(fmt.Sprintf("a %d for every sandbox of %s", status, replica), visitors, func(last fleetReply) bool {
		return last.status == status || status == http.StatusOK && last.status == http.StatusCreated
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.absences[replica].until = time.Now()
}

// freezes suspends a replica, as if it hung, and resumes it.
func (f *fleet) freezes(replica string) {
	f.t.Helper()
	f.step("frozen")
	f.suspends(replica, absence{found: 5 * time.Second}, func(p *programtest.Process) { f.signal(p, syscall.SIGSTOP) })
	f.step("thawed")
	f.signal(f.replicas[replica], syscall.SIGCONT)
	f.returned(replica, http.StatusOK)
}

// killsReplica kills a replica and starts it again. One of its sandboxes is created again.
func (f *fleet) killsReplica(replica string) {
	f.t.Helper()
	f.step("killed")
	f.suspends(replica, absence{lost: true}, (*programtest.Process).Kill)
	f.restarts(replica)
}

// drains stops a replica and starts it again. The replica responds until it has stopped, and keeps
// its sandboxes if it has --keep.
func (f *fleet) drains(replica string) {
	f.t.Helper()
	f.step("drained")
	f.suspends(replica, absence{lost: f.keep[replica] == ""}, func(p *programtest.Process) {
		f.signal(p, syscall.SIGTERM)
		if code := p.Wait(f.t); code != exitOK {
			f.t.Errorf("%s ends with %d", replica, code)
		}
	})
	f.restarts(replica)
}

func (f *fleet) restarts(replica string) {
	f.t.Helper()
	f.step("restarted")
	f.start(replica, f.address(replica))
	if f.keep[replica] != "" {
		f.returned(replica, http.StatusOK)
		return
	}
	f.returned(replica, http.StatusNotFound)
	v := f.of(replica)[0]
	v.mu.Lock()
	defer v.mu.Unlock()
	made, _, err := f.ask("PUT", "/admin/sandboxes/"+v.name, "", "Authorization", "Bearer "+fleetKey)
	if err != nil || made.status != http.StatusCreated {
		f.t.Errorf("%s is made anew: %+v, %v", v.name, made, err)
	}
	clear(v.pets)
	v.anew = true
}

func (f *fleet) signal(p *programtest.Process, signal syscall.Signal) {
	f.t.Helper()
	must.Succeed(f.t, p.Cmd.Process.Signal(signal))
}
