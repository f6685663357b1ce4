package journal

import (
	"testing"
)

func BenchmarkJournalAdd(b *testing.B) {
	j := newJournal(1000)
	r := browserRequest()
	b.ReportAllocs()
	for b.Loop() {
		j.Add(&r)
	}
}
