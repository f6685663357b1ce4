package handlers_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestPets(t *testing.T) { RunScenarios(t, petScenarios()) }

// petScenarios returns scenarios that the transcript pets.txt lacks.
func petScenarios() []Scenario {
	return []Scenario{
		Answered("create ignores an id of any type", Post("/pets", `{"id": ["x"], "name": "Bello", "categoryId": 1}`),
			201, `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`),
		Answered("create ignores unknown fields",
			Post("/pets", `{"NAME": "x", "colour": {"a": [1]}, "name": "Bello", "categoryId": 1}`), 201,
			`{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`),
		Answered("create with the longest name, counted in code points",
			Post("/pets", `{"name": "`+repeat("🐕", 255)+`", "categoryId": 1}`), 201,
			`{"id": 7, "name": "`+repeat("🐕", 255)+`", "categoryId": 1, "status": "available"}`),
		Answered("create with an escaped name",
			Post("/pets", `{"name": "\ud83d\udc15 \"<&>\" \u0000", "categoryId": 1}`),
			201, `{"id": 7, "name": "🐕 \"<&>\" \u0000", "categoryId": 1, "status": "available"}`),
		{Name: "photo with the same tag", Request: Get("/pets/1/photo").With("If-None-Match", "*"), Status: 304,
			Headers: http.Header{"Content-Type": nil}},
		Answered("replace with null for what is optional",
			Put("/pets/2", `{"name": "Tom", "categoryId": 1, "status": null}`), 200,
			`{"id": 2, "name": "Tom", "categoryId": 1, "status": "available"}`),
		Answered("patch with the same id", Patch("/pets/2", `{"id": 2}`),
			200, `{"id": 2, "name": "Misty", "categoryId": 2, "status": "pending"}`),
		Refused("patch of what is required to null", Patch("/pets/2", `{"name": null, "categoryId": null}`),
			400, "validation_failed", "/name", "/categoryId"),
	}
}

// isPortrait returns a check for a picture whose title has the given beginning and end.
func isPortrait(begin, end string) func(*testing.T, *Answer) {
	return func(t *testing.T, a *Answer) {
		t.Helper()
		var picture struct {
			XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
			Title   string   `xml:"title"`
		}
		if err := xml.Unmarshal(a.Body, &picture); err != nil {
			t.Fatalf("%v in %s", err, a.Body)
		}
		if !strings.HasPrefix(picture.Title, begin) || !strings.HasSuffix(picture.Title, end) {
			t.Errorf("the title is %q, want %s…%s", picture.Title, begin, end)
		}
	}
}

// TestPhotoDependsOnIDAndCategory changes a pet. A new name or status does not change its portrait; a
// new category does.
func TestPhotoDependsOnIDAndCategory(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	photo := func() (body, tag string) {
		a := w.Get(t, "/pets/1/photo")
		a.Expect(t, 200, "")
		return string(a.Body), a.Header.Get("ETag")
	}
	before, tag := photo()
	w.Must(t, Put("/pets/1", `{"name": "Bello", "categoryId": 1, "status": "sold"}`))
	if same, sameTag := photo(); same != before || sameTag != tag {
		t.Error("another name made another portrait")
	}
	w.Must(t, Patch("/pets/1", `{"categoryId": 2}`))
	if cat, catTag := photo(); cat == before || catTag == tag {
		t.Error("another category did not make another portrait")
	}
	w.Must(t, Patch("/categories/2", `{"name": "</title><script>alert(1)</script>"}`))
	hostile := w.Get(t, "/pets/1/photo")
	isPortrait("Pet 1, ", "(</title><script>alert(1)</script>)")(t, hostile)
	data := w.Get(t, "/admin/data/pets/1/photo")
	if string(data.Body) != string(hostile.Body) {
		t.Error("in the control plane it has another portrait")
	}
}
