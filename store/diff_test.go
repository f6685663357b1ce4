package store

import (
	"strings"
	"testing"
	"time"
)

// TestDiffOfEqualTimes has a message in another time zone.
func TestDiffOfEqualTimes(t *testing.T) {
	t.Parallel()
	hello := Message{ID: 3, Message: "Hello", CreatedAt: time.Unix(3, 0).UTC()}
	s := New(built(1, 0), Limits{})
	must(do(s, (*Tx).CreateMessage, hello))
	before := s.View()
	hello.CreatedAt = hello.CreatedAt.In(time.FixedZone("", 3600))
	must(do(s, (*Tx).CreateMessage, hello))
	wantEqual(t, "diff", s.View().Diff(before), before.Diff(before))
}

func writtenDiff(now, from *State) string {
	var b strings.Builder
	if err := now.WriteDiff(&b, from); err != nil {
		panic(err)
	}
	return b.String()
}
