package petstoretest_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/petstoretest"
)

// TestWorkshopRefuses checks that the methods refuse the same values as HTTP, and change nothing.
func TestWorkshopRefuses(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.Workshop, c.MaxSandboxes = true, 10 }))
	before := srv.Workshop()
	for name, test := range map[string]struct {
		call func(s *petstoretest.Server)
		want string
	}{
		"a limit below 1":      {func(s *petstoretest.Server) { s.SetWorkshop(false, -1) }, "workshop: Limit: must be from 1 to 9, as many as Config.MaxSandboxes leaves, not -1"},
		"a limit without end":  {func(s *petstoretest.Server) { s.SetWorkshop(false, 1<<40) }, "workshop: Limit: must be from 1 to 9, as many as Config.MaxSandboxes leaves, not 1099511627776"},
		"an attendee's name":   {func(s *petstoretest.Server) { s.Join(strings.Repeat("é", 201)) }, "attendee: Name: must be 0 to 200 characters long, not 201"},
		"a title without end":  {func(s *petstoretest.Server) { s.SetTitle(strings.Repeat("é", 101)) }, "workshop: Title: must be 0 to 100 characters long, not 101"},
		"a title not in UTF-8": {func(s *petstoretest.Server) { s.SetTitle("caf\xe9") }, "workshop: Title: must be a string of valid Unicode"},
	} {
		mustEnd(t, func(fake *exampleT) { test.call(srv.For(fake)) }, "petstoretest: "+test.want)
		if now := srv.Workshop(); now != before {
			t.Errorf("%s: the door is %+v, want %+v", name, now, before)
		}
	}
	srv.SetTitle(strings.Repeat("é", 100))
	srv.SetWorkshop(true, 9)
	if door := srv.Workshop(); door.Limit != 9 || len(door.Title) != 200 {
		t.Errorf("the door is %+v", door)
	}
}
