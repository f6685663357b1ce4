package petstoretest_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// misuses are calls that must end the test, with parts of their messages.
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
	}, []string{`the sandbox "ada" was dropped`, "Server.Sandbox"}},
	"fork without a name": {func(s *petstoretest.Server) { s.Fork("") }, []string{"t.Name()"}},
	"tools": {func(s *petstoretest.Server) { s.MCP() },
		[]string{"WithConfig(extras.Add), of package example.com/petstore/handlers/extras"}},
	"fork to what is there": {func(s *petstoretest.Server) { s.Fork("default") },
		[]string{"already exists", "default"}},
	"part": {func(s *petstoretest.Server) { s.Reset(petstoretest.PartData, "dates") },
		[]string{`"dates"`, "clock"}},
	"sizes without end": {func(s *petstoretest.Server) {
		s.ResetTo(1, petstoretest.Sizes{Pets: math.MaxInt, Categories: 1})
	}, []string{"ResetTo: the sizes ask for more than 108 records, the most that the sandbox can hold; leave some " +
		"out, or set a larger Config.MaxRecords"}},
	"import": {func(s *petstoretest.Server) { s.Import(`{"pets": [{"id": 1, "name": ""}]}`) },
		[]string{"pets[0].name", "pets[0].categoryId"}},
	"key": {func(s *petstoretest.Server) { s.SetKey("a b") },
		[]string{"the key must have 1 to 200 visible ASCII characters"}},
	"import of a world": {func(s *petstoretest.Server) { s.Import(`{"format": 1, "state": {}}`) },
		[]string{"start with it by FromWorld, or import it by Sandbox.ImportWorld"}},
	"world of a state": {func(s *petstoretest.Server) { s.ImportWorld(`{"pets": []}`) },
		[]string{"a state: Sandbox.Import, or WithFixtures"}},
	"import of too much": {func(s *petstoretest.Server) { s.Import(manyCategories(120)) },
		[]string{"the state has 120 records, but the sandbox can hold at most 108"}},
	"diff": {func(s *petstoretest.Server) { s.DiffFrom("none") },
		[]string{"there is no such snapshot: \"none\""}},
	"undo of nothing": {func(s *petstoretest.Server) { s.Undo(0) }, []string{"not 0"}},
	"undo of more":    {func(s *petstoretest.Server) { s.Undo(2) }, []string{"1 can be undone"}},
	"snapshot": {func(s *petstoretest.Server) { s.Snapshot("My pets") },
		[]string{`"My pets" is not a valid name`}},
	"restore": {func(s *petstoretest.Server) { s.Restore("none") },
		[]string{"there is no such snapshot: \"none\""}},
	"drop snapshot": {func(s *petstoretest.Server) { s.DropSnapshot("none") },
		[]string{"there is no such snapshot: \"none\""}},
	"advance": {func(s *petstoretest.Server) {
		s.SetTime(newYear.AddDate(7960, 0, 0))
		s.Advance(1e6 * time.Hour)
	}, []string{"9999"}},
	"rule": {func(s *petstoretest.Server) { s.Fault(petstoretest.Rule{Status: new(99), Times: new(0)}) },
		[]string{"fault rule: Status: must be", "fault rule: Times: must be"}},
	"rule for a header": {func(s *petstoretest.Server) {
		s.Fault(petstoretest.Rule{Status: new(503), Headers: map[string]string{"Content-Type/~": "a"}})
	}, []string{`fault rule: Headers["Content-Type/~"]: is not a header name`}},
	"second rule": {func(s *petstoretest.Server) { s.SetFaults(onOperation("getPet"), onOperation("getRex")) },
		[]string{`fault rule: [1].Match.OperationID: there is no operation "getRex"`}},
	"drop fault": {func(s *petstoretest.Server) { s.DropFault(7) }, []string{"there is no such fault rule: 7"}},
	"filter": {func(s *petstoretest.Server) {
		s.Requests(petstoretest.Filter{OperationID: "getRex", Path: "pets"})
	}, []string{`filter: OperationID: there is no operation "getRex"`, "filter: Path: must begin with a /"}},
	"filter that waits": {func(s *petstoretest.Server) {
		s.WaitForRequests(0, petstoretest.Filter{Status: new(600), StatusClass: 6, Since: -1}, 1)
	}, []string{"filter: Status: must be from 0 to 599, not 600",
		"filter: StatusClass: must be from 1 to 5, or 0 for any, not 6", "filter: Since: cannot be negative"}},
	"wait for nothing": {func(s *petstoretest.Server) { s.WaitForRequests(0, petstoretest.Filter{}, 0) },
		[]string{"not 0"}},
	"webhook elsewhere": {func(s *petstoretest.Server) {
		s.SetWebhook("one", petstoretest.Webhook{URL: "http://petstore.example/"})
	}, []string{"webhook: URL: cannot be at", "; add to Config.WebhookHosts petstore.example"}},
	"webhook without a name": {func(s *petstoretest.Server) {
		s.SetWebhook("", petstoretest.Webhook{URL: "http://127.0.0.1/"})
	}, []string{"is not a valid name"}},
	"deliveries of nothing": {func(s *petstoretest.Server) { s.Deliveries("none", petstoretest.DeliveryFilter{}) },
		[]string{"none"}},
	"wait for no delivery": {func(s *petstoretest.Server) {
		s.WaitForDeliveries(time.Hour, "none", petstoretest.DeliveryFilter{}, 0)
	}, []string{"from 1 to 400, not 0"}},
	"enforcing what stays": {func(s *petstoretest.Server) {
		s.SetLifecycle("createPet", petstoretest.Lifecycle{EnforceSunset: true})
	}, []string{"lifecycle: EnforceSunset: has no effect unless the operation is deprecated"}},
	"title not in Unicode": {func(s *petstoretest.Server) { s.SetTitle("caf\xe9") },
		[]string{"workshop: Title: must be a string of valid Unicode"}},
	"delete webhook": {func(s *petstoretest.Server) { s.DeleteWebhook("none") }, []string{"none"}},
	"deliveries that cannot be": {func(s *petstoretest.Server) {
		s.WaitForDeliveries(time.Hour, "none", petstoretest.DeliveryFilter{State: "done", Event: "pet.crated"}, 1)
	}, []string{"filter: State: must be pending, delivered or failed", "filter: Event: must be pet.created,"}},
	"resend nothing":       {func(s *petstoretest.Server) { s.ResendDelivery("none", 1) }, []string{"none"}},
	"listen":               {func(s *petstoretest.Server) { s.Listen(-2) }, []string{"-2"}},
	"listen to all":        {func(s *petstoretest.Server) { s.ListenToAll(-2) }, []string{"-2"}},
	"lifecycle of nothing": {func(s *petstoretest.Server) { s.Lifecycle("getRex") }, []string{"getRex"}},
	"set lifecycle": {func(s *petstoretest.Server) { s.SetLifecycle("getRex", petstoretest.Lifecycle{}) },
		[]string{"getRex"}},
	"change lifecycle": {func(s *petstoretest.Server) {
		s.ChangeLifecycle("getRex", func(*petstoretest.Lifecycle) {})
	}, []string{"getRex"}},
	"change of what stays": {func(s *petstoretest.Server) {
		s.ChangeLifecycle("createPet", func(l *petstoretest.Lifecycle) { l.Sunset = newYear })
	}, []string{"lifecycle: Sunset: has no effect"}},
	"reset lifecycle": {func(s *petstoretest.Server) { s.ResetLifecycle("getRex") }, []string{"getRex"}},
	"fewer places than one": {func(s *petstoretest.Server) { s.SetWorkshop(false, -1) },
		[]string{"workshop: Limit: must be from 1 to 9, as many as Config.MaxSandboxes leaves, not -1"}},
	"name of an attendee": {func(s *petstoretest.Server) { s.Join(strings.Repeat("é", 201)) },
		[]string{"attendee: Name: must be 0 to 200 characters long, not 201"}},
	"title of a workshop": {func(s *petstoretest.Server) { s.SetTitle(strings.Repeat("é", 101)) },
		[]string{"workshop: Title: must be 0 to 100 characters long, not 101"}},
}

func onOperation(id string) petstoretest.Rule {
	return petstoretest.Rule{Match: &petstoretest.Match{OperationID: id}, Status: new(503)}
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
			srv := petstoretest.Run(t, petstoretest.WithSizes(petstoretest.Sizes{Categories: 8}),
				petstoretest.WithConfig(func(c *petstoretest.Config) {
					c.MaxRecords, c.Workshop, c.MaxSandboxes = 100, true, 10
				}))
			addPet(srv.Client, srv.URL, "Rex") // a write to undo
			data, door := srv.Export(), srv.Workshop()
			mustEnd(t, func(fake *exampleT) { test.call(srv.For(fake)) }, append(test.want, "petstoretest: ")...)
			if srv.Export() != data || srv.Workshop() != door || len(srv.Sandboxes()) > 1 ||
				len(srv.Faults())+len(srv.Snapshots()) > 0 || srv.Lifecycle("createPet").Deprecated {
				t.Error("something has changed")
			}
		})
	}
}

// TestMessagesNameTheBound checks that the message names the field that bounds what the call needs.
func TestMessagesNameTheBound(t *testing.T) {
	t.Parallel()
	wait := func(count int) func(*petstoretest.Server) {
		return func(s *petstoretest.Server) { s.WaitForRequests(time.Hour, petstoretest.Filter{}, count) }
	}
	for _, test := range []struct {
		config func(*petstoretest.Config)
		call   func(*petstoretest.Server)
		want   []string
	}{
		{
			func(c *petstoretest.Config) { c.MaxMemory, c.MaxRecords = 2<<30, 10_000_000 },
			func(s *petstoretest.Server) { s.ResetTo(1, petstoretest.Sizes{Pets: 9_000_000, Categories: 1}) },
			[]string{"ResetTo: the server has no memory left for this request: it may need ",
				", or set Config.MaxMemory to ", "MiB or more"},
		},
		{
			func(c *petstoretest.Config) { c.MaxSandboxes = 1 }, func(s *petstoretest.Server) { s.Sandbox("ada") },
			[]string{"there is no room for another sandbox; drop one, wait until idle ones are dropped, or set a " +
				"larger Config.MaxSandboxes"},
		},
		{
			func(c *petstoretest.Config) { c.Journal = new(0) }, wait(1),
			[]string{"WaitForRequests: the count needs a journal, and the server keeps none; set a larger " +
				"Config.Journal"},
		},
		{
			func(c *petstoretest.Config) { c.Journal = new(5) }, wait(6),
			[]string{"WaitForRequests: the count must be at most 5, the size of the journal; set a larger " +
				"Config.Journal"},
		},
	} {
		srv := petstoretest.Run(t, petstoretest.WithConfig(test.config))
		mustEnd(t, func(fake *exampleT) { test.call(srv.For(fake)) }, test.want...)
	}
}

func TestMisuseWithoutTestPanics(t *testing.T) {
	t.Parallel()
	srv := must.Get(petstoretest.Start())(t)
	defer srv.Close()
	defer func() {
		if message := fmt.Sprint(recover()); !strings.Contains(message, "there is no such snapshot: \"none\"") {
			t.Errorf("panic %q, want the reason", message)
		}
	}()
	srv.Restore("none")
}

// TestDroppedSandboxEndsTheTest calls every method of a sandbox that was dropped and
// then recreated by a request. No method may change the old sandbox, where the change
// would be lost, or the new one.
func TestDroppedSandboxEndsTheTest(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	for method := range reflect.TypeFor[*petstoretest.Sandbox]().Methods() {
		t.Run(method.Name, func(t *testing.T) {
			t.Parallel()
			mustEnd(t, func(fake *exampleT) {
				pets := srv.For(fake).Sandbox(t.Name())
				pets.Snapshot("one")
				pets.Fault(petstoretest.Rule{})
				pets.Drop()
				addPet(pets.Client, pets.URL, "Rex")
				callWithValidArguments(method.Name, reflect.ValueOf(pets).MethodByName(method.Name))
			}, "petstoretest: the sandbox ", "was dropped; Server.Sandbox makes a new one")
		})
	}
}

// callWithValidArguments calls a method with arguments that it accepts, or none if they are optional.
func callWithValidArguments(name string, method reflect.Value) {
	var args []reflect.Value
	for i := range method.Type().NumIn() {
		typ := method.Type().In(i)
		switch value := reflect.New(typ).Elem(); {
		case method.Type().IsVariadic() && i == method.Type().NumIn()-1:
			continue
		case typ == reflect.TypeFor[petstoretest.Webhook]():
			args = append(args, reflect.ValueOf(petstoretest.Webhook{URL: "http://127.0.0.1/"}))
		case typ == reflect.TypeFor[time.Time]():
			args = append(args, reflect.ValueOf(newYear))
		case typ.Kind() == reflect.String:
			value.SetString(map[bool]string{true: "{}", false: "getPet"}[strings.HasPrefix(name, "Import")])
			args = append(args, value)
		case value.CanInt():
			value.SetInt(1)
			args = append(args, value)
		case typ.Kind() == reflect.Func:
			args = append(args, reflect.MakeFunc(typ, func([]reflect.Value) []reflect.Value { return nil }))
		default:
			args = append(args, value)
		}
	}
	method.Call(args)
}
