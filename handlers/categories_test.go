package handlers_test

import (
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func repeat(text string, n int) string { return strings.Repeat(text, n) }

func TestCategories(t *testing.T) { RunScenarios(t, categoryScenarios()) }

// categoryScenarios returns scenarios that the transcript categories.txt lacks.
func categoryScenarios() []Scenario {
	return []Scenario{
		Answered("create without a description", Post("/categories", `{"name": "Fish", "description": null}`),
			201, `{"id": 5, "name": "Fish"}`),
		Answered("create with an empty description", Post("/categories", `{"name": "Fish", "description": ""}`),
			201, `{"id": 5, "name": "Fish", "description": ""}`),
		Answered("create with the longest description",
			Post("/categories", `{"name": "F", "description": "`+repeat("é", 1000)+`"}`), 201,
			`{"id": 5, "name": "F", "description": "`+repeat("é", 1000)+`"}`),
		Refused("replace by nothing", Put("/categories/1", `{}`), 400, "validation_failed", "/name"),
		Answered("patch of nothing", Patch("/categories/1", `{}`),
			200, `{"id": 1, "name": "Dogs", "description": "Loyal and loud"}`),
		Refused("patch of what is required to null", Patch("/categories/1", `{"name": null, "description": 7}`),
			400, "validation_failed", "/name", "/description"),
	}
}

// TestCategoryInUse deletes the pets of a category one by one. Each refusal counts the remaining
// pets, and the empty category can be deleted.
func TestCategoryInUse(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	remove := Delete("/categories/2")
	for i, step := range []struct {
		says string
		next Request
	}{
		{"2 pets", Delete("/pets/2")},
		{"1 pet ", Patch("/pets/4", `{"categoryId": 3}`)},
	} {
		a := w.Do(t, remove)
		a.Expect(t, 409, "category_in_use")
		if p := a.Problem(t); !strings.Contains(p.Message, step.says) {
			t.Errorf("step %d: message = %q, want %q in it", i, p.Message, step.says)
		}
		w.Must(t, step.next)
	}
	w.Do(t, remove).Expect(t, 204, "")
	w.Get(t, "/categories/2").Expect(t, 404, "not_found")
	w.Do(t, Post("/pets", `{"name": "Tom", "categoryId": 2}`)).
		Expect(t, 422, "unknown_category", "/categoryId")
	w.Must(t, Post("/categories", `{"name": "Cats"}`)).
		ExpectHeader(t, "Location", "/categories/5")
}
