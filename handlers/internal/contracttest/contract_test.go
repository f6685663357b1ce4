package contracttest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

// served is a response that tests modify.
type served struct {
	*http.Response
	body []byte
}

// TestContractReportsEveryBreach modifies one thing at a time in a response that keeps the contract.
func TestContractReportsEveryBreach(t *testing.T) {
	t.Parallel()
	server := contracttest.NewServer(t)
	set := func(name, value string) func(*served) {
		return func(a *served) { a.Header.Set(name, value) }
	}
	without := func(name string) func(*served) {
		return func(a *served) { a.Header.Del(name) }
	}
	status := func(code int) func(*served) {
		return func(a *served) { a.StatusCode = code }
	}
	field := func(name string, value any) func(*served) {
		return func(a *served) {
			var object map[string]any
			err := json.Unmarshal(a.body, &object)
			if object[name] = value; value == nil {
				delete(object, name)
			}
			if err == nil {
				a.body, err = json.Marshal(object)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	for name, breach := range map[string]struct {
		path string
		do   func(*served)
		says string
	}{
		"an undocumented status":       {"/pets/1", status(202), "status 202"},
		"a status of another document": {"/healthz", status(404), "status 404"},
		"a page that fails":            {"/docs/", status(500), "status 500 outside"},
		"a page behind a key":          {"/", status(401), "status 401 outside"},
		"an undocumented header":       {"/healthz", set("Etag", `"a"`), "Etag is not in the document"},
		"a header for no script":       {"/pets/1", set("X-Powered-By", "Go"), "X-Powered-By"},
		"a missing header":             {"/pets", without("X-Total-Count"), "X-Total-Count"},
		"a header of another form":     {"/pets", set("X-Total-Count", "many"), "X-Total-Count"},
		"no request id":                {"/pets", without("X-Request-Id"), "X-Request-Id"},
		"content to be guessed":        {"/pets", without("X-Content-Type-Options"), "X-Content-Type-Options"},
		"half of Vary":                 {"/pets", set("Vary", "Origin"), "Vary"},
		"more than Vary":               {"/pets/99", set("Vary", contracttest.Varies+", Accept"), "Vary"},
		"the index by its path alone":  {"/sandboxes/ada/", set("Vary", contracttest.Varies), "Vary"},
		"a cache without a word":       {"/admin/clock", without("Cache-Control"), "Cache-Control"},
		"a cache that keeps":           {"/docs/", set("Cache-Control", "max-age=60"), "Cache-Control"},
		"another sandbox":              {"/pets", set("X-Sandbox", "ada"), "X-Sandbox"},
		"no lifecycle":                 {"/pets/1", without("Sunset"), "Sunset"},
		"a stability of its own":       {"/pets/1", set("X-Stability", "beta"), "X-Stability"},
		"admin for every page":         {"/admin/clock", set("Access-Control-Allow-Origin", "*"), "any page may read"},
		"admin in any page":            {"/admin/clock", without("Cross-Origin-Resource-Policy"), "any page may embed"},
		"a missing field":              {"/pets/1", field("name", nil), "name"},
		"an undocumented field":        {"/pets/1", field("colour", "brown"), "/colour is not in the document"},
		"a field of another type":      {"/pets/1", field("categoryId", "dogs"), "categoryId"},
		"another media type":           {"/pets/1", set("Content-Type", "text/plain"), "text/plain"},
		"an error without a code":      {"/pets/99", field("code", nil), "not a whole Error object"},
		"an error of another status":   {"/pets/99", field("status", 400), "not a whole Error object"},
		"an error with more":           {"/pets/99", field("cause", "who knows"), "not an Error object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+breach.path, nil)
			recorder := httptest.NewRecorder()
			contracttest.Serve(server, recorder, r)
			answer := &served{recorder.Result(), recorder.Body.Bytes()}
			check := func() error { return contracttest.CheckAnswer(r, answer.Response, answer.body) }
			if err := check(); err != nil {
				t.Fatalf("the answer as it is: %v", err)
			}
			breach.do(answer)
			if err := check(); err == nil || !strings.Contains(err.Error(), breach.says) {
				t.Errorf("%v, want a word of %s", err, breach.says)
			}
		})
	}
}

func TestMain(m *testing.M) { contracttest.Main(m) }
