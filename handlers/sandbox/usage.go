package sandbox

import "example.com/petstore/store"

// Usage returns the size of the sandbox beyond the origin. Beside the data and the
// snapshots, the journal, events, responses to Idempotency-Keys, report, rate limit, fault rules and
// webhooks count.
func (s *Sandbox) Usage() store.Usage { return s.Store.Usage() }

// MaxBytes returns the largest size that the sandbox may have. 0 means no limit.
func (s *Sandbox) MaxBytes() int64 { return s.options.MaxBytes }

// beside returns to the store what else counts against its limit.
func (s *Sandbox) beside() (snapshots []store.Kept, bytes int64) {
	return s.Snapshots.kept(), s.Journal.Bytes() + s.Idempotency.Bytes() + s.Report.Bytes() + s.Limiter.Bytes() + s.Faults.Bytes() + s.Webhooks.Bytes()
}
