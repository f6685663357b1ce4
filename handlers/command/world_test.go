package command

import (
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
}
