package docs_test

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestCollectionsOfRequests checks that both collections have a request for each operation, with
// the address of the sandbox and a valid key or a placeholder.
func TestCollectionsOfRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		apiKeys []string
		key     string
	}{{nil, "demo-key"}, {[]string{"secret"}, "YOUR-KEY"}} {
		w := NewWorld(t, func(config *handlers.Config) { config.APIKeys = c.apiKeys })
		w.Must(t, Put("/admin/sandboxes/ada", `{}`))
		var want []string
		for _, op := range operationsOf(t, w.Must(t, Get("/openapi.json")).Body) {
			want = append(want, op.OperationID)
		}
		slices.Sort(want)

		text := string(w.Must(t, Get("/sandboxes/ada/docs/petstore.http")).Body)
		if head := "@baseUrl = " + w.URL + "/sandboxes/ada\n@key = " + c.key + "\n"; !strings.Contains(text, head) {
			t.Errorf("the .http file begins with %.200q, without %q", text, head)
		}
		var got []string
		for _, match := range regexp.MustCompile(`(?m)^# @name (\S+)\n[A-Z]+ \{\{baseUrl}}/[^{}\n]*$`).
			FindAllStringSubmatch(text, -1) {
			got = append(got, match[1])
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("the .http file has %q, want %q", got, want)
		}

		files := unzip(t, w.Must(t, Get("/sandboxes/ada/docs/petstore-bruno.zip")).Body)
		if environment, want := files["petstore/environments/sandbox.bru"], "vars {\n  baseUrl: "+w.URL+"/sandboxes/ada\n  key: "+c.key+"\n}\n"; environment != want {
			t.Errorf("the environment is %q, want %q", environment, want)
		}
		delete(files, "petstore/environments/sandbox.bru")
		got = nil
		for name := range files {
			if id, ok := strings.CutSuffix(path.Base(name), ".bru"); ok {
				got = append(got, id)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("Bruno's collection has %q, want %q", got, want)
		}
	}
}

// unzip returns the files of an archive by name.
func unzip(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	reader := must.Get(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	files := make(map[string]string)
	for _, file := range reader.File {
		content := must.Get(file.Open())(t)
		text := must.Get(io.ReadAll(content))(t)
		files[file.Name] = string(text)
	}
	return files
}
