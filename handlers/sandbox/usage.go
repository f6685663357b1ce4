package sandbox

import (
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// mostBeside is the most bytes that the parts of a sandbox besides its data can hold. Each
// has a bound of its own.
const mostBeside = journal.MaxBytes + maxAnswerBytes + maxUseBytes + maxClients*clientBytes + fault.MaxBytes + webhook.MaxBytes

// Usage is what a sandbox holds beyond the data of the server's start, in bytes.
type Usage struct {
	Records   int64 // of its data
	Undo      int64 // that only undo keeps
	Snapshots int64 // that only snapshots keep
	Beside    int64 // of the journal, the events, the answers to Idempotency-Keys, the report, the rate limit, the fault rules and the webhooks
}

// Total returns the sum.
func (u Usage) Total() int64 { return u.Records + u.Undo + u.Snapshots + u.Beside }

// Usage returns what the sandbox holds.
func (s *Sandbox) Usage() Usage {
	u := s.Store.Usage()
	return Usage{Records: u.Own, Undo: u.Undo, Snapshots: u.Beside(s.Snapshots.kept()), Beside: s.parts()}
}

// MaxBytes returns what the sandbox may hold; 0: any number.
func (s *Sandbox) MaxBytes() int64 { return s.options.MaxBytes }

// parts returns what the parts of the sandbox besides its data hold.
func (s *Sandbox) parts() int64 {
	return s.Journal.Bytes() + s.Idempotency.Bytes() + s.Report.Bytes() + s.Limiter.Bytes() + s.Faults.Bytes() + s.Webhooks.Bytes()
}

// beside tells the store what else counts against the bound of its bytes. It is asked with
// every write, so it looks closely only where that can matter.
func (s *Sandbox) beside(u store.Usage) int64 {
	kept := s.Snapshots.kept()
	if len(kept) == 0 && u.Own+u.Undo+mostBeside <= s.options.MaxBytes {
		return 0
	}
	return u.Beside(kept) + s.parts()
}
