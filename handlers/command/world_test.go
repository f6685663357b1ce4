package command

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestStartWithAWorld starts a program with the world of another one.
func TestStartWithAWorld(t *testing.T) {
	t.Parallel()
	const lesson = `{"format": 1, "clock": {"now": "2031-01-01T00:00:00Z", "frozen": true}, "baseline": {"categories": [{"id": 1, "name": "Dogs"}]},
		"state": {"pets": [{"id": 7, "name": "Rex", "categoryId": 1}]}}`
	one := programtest.StartPetstore(t, "--world", fileOf(t, lesson))
	file := programtest.Get(t, one.URL+"/admin/world").Body
	other := programtest.StartPetstore(t, "--world", fileOf(t, file))
	if got := programtest.Get(t, other.URL+"/admin/world").Body; got != file {
		t.Errorf("it holds\n%s\nand was started with\n%s", got, file)
	}
	if got := programtest.Get(t, other.URL+"/sandboxes/ada/pets").Body; !strings.Contains(got, `"name":"Rex"`) {
		t.Errorf("another sandbox starts with %s", got)
	}
	change(t, http.MethodPost, other.URL+"/admin/reset", "")
	if got := programtest.Get(t, other.URL+"/admin/world").Body; got != file {
		t.Errorf("after a reset it holds\n%s\nand was started with\n%s", got, file)
	}
}
