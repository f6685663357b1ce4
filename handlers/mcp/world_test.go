package mcp_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestWorldsGoAround exports a sandbox with many requests and imports it into another one.
func TestWorldsGoAround(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	for range 100 { // so that the journal is longer than a tool may return
		shop.do(t, "POST", "/pets", `{"name": "`+strings.Repeat("x", 2000)+`", "categoryId": 1}`)
	}
	shop.do(t, "DELETE", "/pets/2", "")
	s.must(t, "add_fault", `{"status": 503, "match": {"operationId": "listPets"}}`)
	s.must(t, "set_clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	s.must(t, "set_lifecycle", `{"operationId": "createPet", "deprecated": true}`)
	world := s.must(t, "export_world", `{}`)
	if strings.Contains(world, "\n") {
		t.Error("the world has white space, which counts")
	}
	s.must(t, "create_sandbox", `{"name": "copy"}`)
	s.must(t, "import_world", `{"sandbox": "copy", "world": `+world+`}`)
	expectJSON(t, "the world of the copy", s.must(t, "export_world", `{"sandbox": "copy"}`), world)
	if pets := decode[struct{ Total int }](t, s.must(t, "list_records", `{"sandbox": "copy", "collection": "pets"}`)); pets.Total != 99 {
		t.Errorf("the copy has %d pets", pets.Total)
	}
	if status, _ := shop.do(t, "GET", "/sandboxes/copy/pets", ""); status != 503 {
		t.Errorf("GET /pets of the copy = %d", status)
	}
	if got := s.call(t, "import_world", `{"sandbox": "copy", "world": {"format": 1, "pets": []}}`); !got.wrong || !strings.HasPrefix(said(t, got.text), "validation_failed") {
		t.Errorf("a world with a mistake: %+v", got)
	}
}

// TestLargeWorlds checks the advice for saving a world that is too long for a tool.
func TestLargeWorlds(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	s.must(t, "create_sandbox", `{"name": "Ada Lovelace"}`)
	for range 40 {
		shop.do(t, "POST", "/categories", fmt.Sprintf(`{"name": "a", "description": %q}`, strings.Repeat("🐈", 1000)))
	}
	s.must(t, "fork_sandbox", `{"name": "large"}`)
	for arguments, address := range map[string]string{
		`{}`:                                 shop.url + "/admin/world",
		`{"data": true, "sandbox": "large"}`: shop.url + "/sandboxes/large/admin/world?data=true",
	} {
		got := s.call(t, "export_world", arguments)
		if want := "the result is longer than 65536 bytes; save it in a file with curl -o FILE '" + address + "', and the key of the control plane if it has one"; !got.wrong || got.text != want {
			t.Errorf("export_world %s: %.300s, want %s", arguments, got.text, want)
		}
		if status, world := shop.do(t, "GET", strings.TrimPrefix(address, shop.url), ""); status != 200 || len(world) < 64<<10 {
			t.Errorf("GET %s = %d with %d bytes", address, status, len(world))
		}
	}
}
