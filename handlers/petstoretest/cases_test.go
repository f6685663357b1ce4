package petstoretest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// clientCases holds the test cases that all clients share. testdata/clients/README.md describes them.
type clientCases struct {
	Names []struct{ Text, Title, Name string }
	Cases []struct {
		Name  string
		Steps []caseStep
	}
}

type caseStep struct {
	Call    string
	With    map[string]any
	Gives   any
	Refuses any
}

func readClientCases(t *testing.T) (all clientCases) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/clients/cases.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all.Names) == 0 || len(all.Cases) == 0 {
		t.Fatal(len(all.Names), len(all.Cases), err)
	}
	return all
}

func TestClientNames(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
	for _, name := range readClientCases(t).Names {
		if pets := srv.Sandbox(name.Text); pets.Title != name.Title || pets.Name != name.Name {
			t.Errorf("%q names %q, %q; want %q, %q", name.Text, pets.Title, pets.Name, name.Title, name.Name)
		}
	}
}

func TestClientCases(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	for _, c := range readClientCases(t).Cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			fake := newExampleT()
			defer fake.removeArtifacts()
			defer fake.end()
			run := &caseRun{fake: fake, srv: srv.For(fake)}
			run.enter(c.Name)
			for _, step := range c.Steps {
				run.take(t, step)
			}
		})
	}
}

// caseRun is a running case. A call that is refused ends the fake test.
type caseRun struct {
	fake  *exampleT
	srv   *petstoretest.Server
	pets  *petstoretest.Sandbox
	world string
}

func (r *caseRun) take(t *testing.T, step caseStep) {
	t.Helper()
	call := caseCalls[step.Call]
	if call == nil {
		t.Fatalf("unknown call %s", step.Call)
	}
	var gives any
	ended := make(chan struct{})
	go func() { // a goroutine, since a refusal ends it
		defer close(ended)
		gives = call(r, step.With)
	}()
	<-ended
	if refused := r.fake.fatal != ""; refused != (step.Refuses != nil) {
		t.Fatalf("%v: refused: %t, %s", step, refused, r.fake.fatal)
	}
	r.fake.fatal = ""
	if step.Gives == nil {
		return
	}
	var found any
	if text, err := json.Marshal(gives); err != nil || json.Unmarshal(text, &found) != nil || !has(found, step.Gives) {
		t.Errorf("%v gives %s, %v", step, text, err)
	}
}

// has reports whether the JSON value found contains the value wanted.
func has(found, wanted any) bool {
	switch wanted := wanted.(type) {
	case map[string]any:
		fields, ok := found.(map[string]any)
		for name, value := range wanted {
			ok = ok && has(fields[name], value)
		}
		return ok
	case []any:
		elements, ok := found.([]any)
		return ok && slices.EqualFunc(elements, wanted, has)
	}
	return reflect.DeepEqual(found, wanted)
}

// enter renews the sandbox. Subsequent calls use it.
func (r *caseRun) enter(name string) {
	r.pets = r.srv.Sandbox(name)
	r.pets.Renew()
}

// send sends a request and returns the response.
func (r *caseRun) send(base string, with map[string]any) any {
	var body io.Reader
	if with["body"] != nil {
		text, _ := json.Marshal(with["body"])
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequest(with["method"].(string), base+with["path"].(string), body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := r.pets.Client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	headers := map[string]string{}
	for name := range response.Header {
		headers[name] = response.Header.Get(name)
	}
	var parsed any
	_ = json.NewDecoder(response.Body).Decode(&parsed) // nil if there is none
	return map[string]any{"status": response.StatusCode, "headers": headers, "body": parsed}
}

// caseCalls maps the names in the cases to the calls.
var caseCalls = map[string]func(r *caseRun, with map[string]any) any{
	"sandbox": func(r *caseRun, with map[string]any) any { r.enter(with["name"].(string)); return nil },
	"fetch":   func(r *caseRun, with map[string]any) any { return r.send(r.pets.URL, with) },
	"admin": func(r *caseRun, with map[string]any) any {
		response, _ := r.send(r.pets.URL+"/admin", with).(map[string]any)
		if response == nil || response["status"].(int) >= 400 {
			r.fake.Fatalf("%v", response)
		}
		return response["body"]
	},
	"fault": func(r *caseRun, with map[string]any) any { return r.pets.Fault(as[petstoretest.Rule](with)) },
	"clearFaults": func(r *caseRun, _ map[string]any) any {
		r.pets.ClearFaults()
		return nil
	},
	"lifecycle": func(r *caseRun, with map[string]any) any {
		id := with["operationId"].(string)
		r.pets.ChangeLifecycle(id, func(l *petstoretest.Lifecycle) { l.EnforceSunset = with["enforceSunset"].(bool) })
		return map[string]any{"operationId": id, "enforceSunset": r.pets.Lifecycle(id).EnforceSunset}
	},
	"requests": func(r *caseRun, with map[string]any) any {
		found := r.pets.Requests(filterOf(with))
		if limit, ok := with["limit"].(float64); ok {
			found = found[:int(limit)]
		}
		return append([]petstoretest.Entry{}, found...) // no entries are [] in JSON, not null
	},
	"har": func(r *caseRun, with map[string]any) any { return json.RawMessage(r.pets.HAR(filterOf(with))) },
	"waitForRequests": func(r *caseRun, with map[string]any) any {
		timeout := time.Duration(with["timeoutSeconds"].(float64)) * time.Second
		return r.pets.WaitForRequests(timeout, filterOf(with), int(with["count"].(float64)))
	},
	"reset": func(r *caseRun, with map[string]any) any {
		if seed, ok := with["seed"].(float64); ok {
			sizes := *r.pets.Baseline().Sizes
			sizes.Pets = int(with["pets"].(float64))
			r.pets.ResetTo(uint64(seed), sizes)
			return nil
		}
		r.pets.Reset(as[struct{ Only []petstoretest.Part }](with).Only...)
		return nil
	},
	"clock.set": func(r *caseRun, with map[string]any) any { r.pets.SetTime(timeOf(with)); return nil },
	"clock.freeze": func(r *caseRun, with map[string]any) any {
		r.pets.Freeze()
		r.pets.SetTime(timeOf(with))
		return nil
	},
	"clock.advance": func(r *caseRun, with map[string]any) any {
		r.pets.Advance(time.Duration(with["seconds"].(float64)) * time.Second)
		return nil
	},
	"clock.unfreeze": func(r *caseRun, _ map[string]any) any { r.pets.Unfreeze(); return nil },
	"clock.release":  func(r *caseRun, _ map[string]any) any { r.pets.ReleaseClock(); return nil },
	"clock.now":      func(r *caseRun, _ map[string]any) any { return r.pets.Now().UTC().Format(time.RFC3339) },
	"clock.read":     func(r *caseRun, _ map[string]any) any { return r.pets.Clock() },
	"world":          func(r *caseRun, _ map[string]any) any { r.world = r.pets.ExportWorld(); return nil },
	"importWorld": func(r *caseRun, with map[string]any) any {
		r.pets.ImportWorld(r.world, petstoretest.AtDraw(uint64(with["draw"].(float64))))
		return nil
	},
	"keep": func(r *caseRun, _ map[string]any) any { // KeepWorld writes its files at the end of a failed test
		r.pets.KeepWorld()
		r.fake.Fail()
		r.fake.end()
		files, err := os.ReadDir(r.fake.ArtifactDir())
		names := map[bool]string{}
		for _, file := range files {
			names[strings.HasSuffix(file.Name(), ".har")] = file.Name()
		}
		if err != nil || len(names) != 2 {
			return fmt.Sprint(slices.Collect(maps.Values(names)), err)
		}
		return []string{names[false], names[true]}
	},
	"drop": func(r *caseRun, _ map[string]any) any {
		if !slices.ContainsFunc(r.srv.Sandboxes(),
			func(s *petstoretest.Sandbox) bool { return s.Name == r.pets.Name }) {
			return nil // a second Drop ends the test
		}
		r.pets.Drop()
		return nil
	},
}

// as returns a JSON value as a T.
func as[T any](value any) (t T) {
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil {
		panic(err)
	}
	return t
}

func timeOf(with map[string]any) time.Time { return as[struct{ Now time.Time }](with).Now }

func filterOf(with map[string]any) petstoretest.Filter {
	class, isClass := with["status"].(string)
	if isClass {
		with = maps.Clone(with)
		delete(with, "status")
	}
	filter := as[petstoretest.Filter](with) // encoding/json ignores case
	if isClass {
		filter.StatusClass = int(class[0] - '0')
	}
	return filter
}
