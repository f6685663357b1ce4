package admin

import (
	"net/http"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// Summary describes the server and the request's sandbox.
type Summary struct {
	Version       string  `json:"version"`
	Replica       string  `json:"replica"` // "" if the server has no name
	UptimeSeconds float64 `json:"uptimeSeconds"`
	Sandbox       string  `json:"sandbox"`
	Title         string  `json:"title"`  // the name as spelled in the request that created the sandbox
	OwnKey        bool    `json:"ownKey"` // the request has the sandbox's own key
	Contents
	Journal   JournalSize `json:"journal"`
	Writes    int64       `json:"writes"`   // changes to the data since the last reset or world import
	Undoable  int         `json:"undoable"` // the number of writes that can be undone
	Snapshots int         `json:"snapshots"`
	Sandboxes int         `json:"sandboxes"` // the number of sandboxes on the server
	Memory    Memory      `json:"memory"`
}

// Contents describes what a sandbox or the template contains.
type Contents struct {
	Seed   *uint64              `json:"seed"` // null if the baseline was not generated
	Counts store.Counts         `json:"counts"`
	Clock  sandbox.ClockReading `json:"clock"`
	Faults int                  `json:"faults"` // the number of rules that can still be applied
}

// Memory is the memory use of the server and of the sandbox, in bytes.
type Memory struct {
	Used    int64 `json:"used"`
	Allowed int64 `json:"allowed"` // the limit for the process; 0 means no limit
	// The memory used by the request's sandbox, without the data that the server started with.
	SandboxUsed    int64 `json:"sandboxUsed"`
	SandboxAllowed int64 `json:"sandboxAllowed"`
}

// JournalSize describes the journal's contents.
type JournalSize struct {
	Entries int    `json:"entries"`
	Dropped uint64 `json:"dropped"` // the number of entries dropped for lack of room
}

func (s *Server) get(x *rest.Exchange) error {
	sb := x.Sandbox
	return x.JSON(http.StatusOK, Summary{
		Version:       s.Version,
		Replica:       s.Replica,
		UptimeSeconds: sandbox.Machine().Sub(s.Started).Seconds(),
		Sandbox:       sb.Name,
		Title:         sb.Title,
		OwnKey:        x.ByOwner,
		Contents:      contentsOf(sb.Sandbox),
		Journal:       journalSize(sb),
		Writes:        sb.Writes(),
		Undoable:      sb.Store.Undoable(),
		Snapshots:     len(sb.Snapshots.List()),
		Sandboxes:     s.Sandboxes.Len(),
		Memory: Memory{
			Used: s.Memory.Used(), Allowed: s.Memory.Limit(),
			SandboxUsed: sb.Usage().Total(), SandboxAllowed: s.Sandboxes.Options.MaxBytes,
		},
	})
}

func journalSize(sb *registry.Entry) JournalSize {
	entries, dropped := sb.Journal.Size()
	return JournalSize{Entries: entries, Dropped: dropped}
}

func contentsOf(sb *sandbox.Sandbox) Contents {
	c := Contents{Counts: sb.Store.View().Counts(), Clock: sb.Clock.Read(), Faults: sb.Faults.InForce()}
	if b := sb.Baseline(); b.Sizes != nil {
		c.Seed = &b.Seed
	}
	return c
}
