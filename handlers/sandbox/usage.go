package sandbox

import (
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// mostBeside is the most bytes of a sandbox's parts other than its data. Each part has its own
// bound.
const mostBeside = journal.MaxBytes + maxAnswerBytes + maxUseBytes + maxClients*clientBytes + fault.MaxBytes + webhook.MaxBytes

// Usage is the size of a sandbox beyond the server's initial data, in bytes.
type Usage struct {
	Records   int64 // data
	Undo      int64 // kept only for undo
	Snapshots int64 // kept only for snapshots
	Beside    int64 // journal, events, responses to Idempotency-Keys, report, rate limit, fault rules and webhooks
}

// Total returns the sum.
func (u Usage) Total() int64 { return u.Records + u.Undo + u.Snapshots + u.Beside }

// Usage returns the size of the sandbox.
func (s *Sandbox) Usage() Usage {
	u := s.Store.Usage()
	return Usage{Records: u.Own, Undo: u.Undo, Snapshots: u.Beside(s.Snapshots.kept()), Beside: s.parts()}
}

// MaxBytes returns the largest size that the sandbox may have. 0 means no limit.
func (s *Sandbox) MaxBytes() int64 { return s.options.MaxBytes }

// parts returns the size of the sandbox's parts other than its data.
func (s *Sandbox) parts() int64 {
	return s.Journal.Bytes() + s.Idempotency.Bytes() + s.Report.Bytes() + s.Limiter.Bytes() + s.Faults.Bytes() + s.Webhooks.Bytes()
}

// beside returns to the store what else counts against its limit. It runs with every write, so it
// is exact only near the limit.
func (s *Sandbox) beside(u store.Usage) int64 {
	kept := s.Snapshots.kept()
	if len(kept) == 0 && u.Own+u.Undo+mostBeside <= s.options.MaxBytes {
		return 0
	}
	return u.Beside(kept) + s.parts()
}
