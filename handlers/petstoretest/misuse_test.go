package petstoretest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/petstoretest"
	"example.com/petstore/handlers/sandbox"
)

// misuses are calls that must end the test, with parts of what they say.
var misuses = map[string]struct {
	call func(*petstoretest.Server)
	want []string
}{
	"no name":      {func(s *petstoretest.Server) { s.Sandbox("") }, []string{"t.Name()"}},
	"drop default": {func(s *petstoretest.Server) { s.Drop() }, []string{"default", "reset it instead"}},
	"drop twice": {func(s *petstoretest.Server) {
		ada := s.Sandbox("ada")
		ada.Drop()
		ada.Drop()
	}, []string{"no sandbox has the name: \"ada\""}},
	"fork without a name":     {func(s *petstoretest.Server) { s.Fork("") }, []string{"t.Name()"}},
	"fork to what is there":   {func(s *petstoretest.Server) { s.Fork("default") }, []string{"exists already", "default"}},
	"part":                    {func(s *petstoretest.Server) { s.Reset(sandbox.PartData, "dates") }, []string{`"dates"`, "clock"}},
	"sizes":                   {func(s *petstoretest.Server) { s.ResetTo(1, fixtures.Sizes{Pets: 1}) }, []string{"without categories"}},
	"import":                  {func(s *petstoretest.Server) { s.Import(`{"pets": [{"id": 1, "name": ""}]}`) }, []string{"pets[0].name", "pets[0].categoryId"}},
	"import without text":     {func(s *petstoretest.Server) { s.ImportBaseline(`{`) }, []string{"line 1"}},
	"import of too much":      {func(s *petstoretest.Server) { s.Import(manyCategories(120)) }, []string{"records", "--max-records"}},
	"diff":                    {func(s *petstoretest.Server) { s.DiffFrom("none") }, []string{"no snapshot has the name: \"none\""}},
	"undo of nothing":         {func(s *petstoretest.Server) { s.Undo(0) }, []string{"not 0"}},
	"undo of more":            {func(s *petstoretest.Server) { s.Undo(2) }, []string{"1 can be taken back"}},
	"snapshot":                {func(s *petstoretest.Server) { s.Snapshot("My pets") }, []string{`"My pets" is not a name`}},
	"restore":                 {func(s *petstoretest.Server) { s.Restore("none") }, []string{"no snapshot has the name: \"none\""}},
	"drop snapshot":           {func(s *petstoretest.Server) { s.DropSnapshot("none") }, []string{"no snapshot has the name: \"none\""}},
	"advance":                 {func(s *petstoretest.Server) { s.SetTime(newYear.AddDate(7960, 0, 0)); s.Advance(1e6 * time.Hour) }, []string{"9999"}},
	"time":                    {func(s *petstoretest.Server) { s.SetTime(newYear.AddDate(9000, 0, 0)) }, []string{"9999"}},
	"rule":                    {func(s *petstoretest.Server) { s.Fault(sandbox.Rule{Status: new(99), Times: new(0)}) }, []string{"/status", "/times"}},
	"rule for health":         {func(s *petstoretest.Server) { s.Fault(onOperation("getHealth")) }, []string{"never suffers"}},
	"second rule":             {func(s *petstoretest.Server) { s.SetFaults(onOperation("getPet"), onOperation("getRex")) }, []string{"/1/match/operationId", "getRex"}},
	"drop fault":              {func(s *petstoretest.Server) { s.DropFault(7) }, []string{"no fault rule has the id: 7"}},
	"filter":                  {func(s *petstoretest.Server) { s.Requests(sandbox.Filter{OperationID: "getRex", Path: "pets"}) }, []string{"getRex", "begin with a /"}},
	"filter that waits":       {func(s *petstoretest.Server) { s.WaitForRequests(0, sandbox.Filter{Status: new(600), Since: -1}, 1) }, []string{"600", "-1"}},
	"wait for nothing":        {func(s *petstoretest.Server) { s.WaitForRequests(0, sandbox.Filter{}, 0) }, []string{"not 0"}},
	"listen":                  {func(s *petstoretest.Server) { s.Listen(-2) }, []string{"-2"}},
	"lifecycle of nothing":    {func(s *petstoretest.Server) { s.Lifecycle("getRex") }, []string{"getRex"}},
	"set lifecycle":           {func(s *petstoretest.Server) { s.SetLifecycle("getRex", sandbox.Lifecycle{}) }, []string{"getRex"}},
	"reset lifecycle":         {func(s *petstoretest.Server) { s.ResetLifecycle("getRex") }, []string{"getRex"}},
	"sunset of what stays":    {setLifecycle(sandbox.Lifecycle{Sunset: newYear}), []string{"must be deprecated"}},
	"sunset too early":        {setLifecycle(sandbox.Lifecycle{Deprecated: true, Sunset: newYear, DeprecatedSince: newYear.AddDate(1, 0, 0)}), []string{"RFC 9745"}},
	"date too late":           {setLifecycle(sandbox.Lifecycle{Deprecated: true, Sunset: newYear.AddDate(9000, 0, 0)}), []string{"9999"}},
	"successor":               {setLifecycle(sandbox.Lifecycle{Deprecated: true, Successor: "pets"}), []string{"/pets?id={petId}"}},
	"successor of what stays": {setLifecycle(sandbox.Lifecycle{Successor: "/pets"}), []string{"set Deprecated too"}},
	"stability":               {setLifecycle(sandbox.Lifecycle{Stability: "stable"}), []string{`"stable"`}},
	"brownout":                {setLifecycle(sandbox.Lifecycle{Deprecated: true, Brownout: 1.5, Stability: "old"}), []string{"1.5", `"old"`}},
	"brownout of health": {func(s *petstoretest.Server) {
		s.SetLifecycle("getHealth", sandbox.Lifecycle{Deprecated: true, Brownout: 0.5})
	}, []string{"never answers 410"}},
}

func onOperation(id string) sandbox.Rule {
	return sandbox.Rule{Match: &sandbox.Match{OperationID: id}, Status: new(503)}
}

func setLifecycle(l sandbox.Lifecycle) func(*petstoretest.Server) {
	return func(s *petstoretest.Server) { s.SetLifecycle("createPet", l) }
}

func manyCategories(n int) string {
	var list []string
	for id := range n {
		list = append(list, fmt.Sprintf(`{"id": %d, "name": "Dogs"}`, id+1))
	}
	return `{"categories": [` + strings.Join(list, ", ") + `]}`
}

func TestMisuseEndsTheTest(t *testing.T) {
	t.Parallel()
	for name, test := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := petstoretest.Run(t, petstoretest.WithSizes(fixtures.Sizes{Categories: 8}),
				petstoretest.WithConfig(func(c *handlers.Config) { c.MaxRecords = 100 }))
			addPet(srv.Client, srv.URL, "Rex") // a write to undo
			data := srv.Export()
			mustEnd(t, func(fake *exampleT) { test.call(srv.For(fake)) }, append(test.want, "petstoretest: ")...)
			if srv.Export() != data || len(srv.Sandboxes()) > 1 || len(srv.Faults())+len(srv.Snapshots()) > 0 || srv.Lifecycle("createPet").Deprecated {
				t.Error("something has changed")
			}
		})
	}
}

func TestWaitWithoutJournal(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *handlers.Config) { c.Journal = new(0) }))
	mustEnd(t, func(fake *exampleT) { srv.For(fake).WaitForRequests(time.Hour, sandbox.Filter{}, 1) }, "Config.Journal is 0")
}

func TestMisuseWithoutTestPanics(t *testing.T) {
	t.Parallel()
	srv, err := petstoretest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	defer func() {
		if message := fmt.Sprint(recover()); !strings.Contains(message, "no snapshot has the name: \"none\"") {
			t.Errorf("panic %q, want what is wrong", message)
		}
	}()
	srv.Restore("none")
}
