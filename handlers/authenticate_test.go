package handlers_test

import (
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestKeysAreNotLogged looks for keys at every level of the log.
func TestKeysAreNotLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := NewWorld(t, book.log(slog.LevelDebug), func(c *handlers.Config) {
		c.APIKeys, c.AdminKey = []string{"k-secret"}, "a-secret"
	})
	for _, key := range []string{"k-secret", "a-secret", "w-secret"} {
		for _, path := range []string{"/pets/1", "/messages", "/admin", "/nowhere", "/sandboxes/*/pets"} {
			w.Do(t, Get(path).WithKey(key))
			w.Do(t, Get(path+"?access_token="+key))
		}
	}
	for _, key := range []string{"k-secret", "a-secret"} { // where a client might put it by mistake
		header := Authorization("Bearer k-secret")
		header["X-Client"], header["User-Agent"], header["X-Request-Id"] = []string{key}, []string{"Bearer " + key},
			[]string{key}
		for _, path := range []string{"/pets/1", "/nowhere/" + key, "/pets/" + key + "/", "/admin/sandboxes/" + key} {
			w.Do(t, Request{Method: "GET", Path: path, Header: header})
		}
	}
	report := string(w.Do(t, Get("/admin/report").WithKey("a-secret")).Body)
	if strings.Contains(report, "secret") || !strings.Contains(report, "[redacted]") {
		t.Errorf("the report has a key, or no caller without its name:\n%s", report)
	}
	if log := book.String(); strings.Contains(log, "secret") || log == "" {
		t.Errorf("the log has a key, or nothing:\n%s", log)
	}
}

// TestJournalRedactsKnownKeys sends the keys of the server and of sandboxes under names that do
// not look secret, in the key's own sandbox and in another one.
func TestJournalRedactsKnownKeys(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k-known"}, "a-known" })
	w.Do(t, Put("/admin/sandboxes/ada", `{"key": "o=known;"}`).WithKey("a-known"))
	for _, key := range []string{"k-known", "a-known", "o=known;"} {
		for _, path := range []string{
			"/pets?breed=" + url.QueryEscape(key), "/pets?a=" + key, "/pets?a=1;b=" + key, "/pets?" + key,
			"/pets?limit=1&q=" + key, "/sandboxes/ada/pets?x=" + key,
			"/events?access_token=" + key, "/nope?access%5ftoken=" + key, "/pets/" + key, "/nowhere/" + key + "/there",
			"/pets/" + strings.Replace(url.PathEscape(key), "o", "%6F", 1),
		} {
			header := Authorization("Bearer k-known")
			header.Set("X-Request-Id", key)
			header.Set("X-Client", key)
			header.Set("X-Page", "http://localhost/?q="+key)
			header["X-Mine"] = []string{"a", key}
			header.Set("X-Copy", "bearer "+key)
			header.Set("X-Token-Like", "Key "+key)
			header.Set("Referer", "http://localhost/pages/"+key+"/edit?access_token="+key)
			for _, name := range []string{"Proxy-Authorization", "X-Api-Key", "Cookie"} {
				header.Set(name, "key="+key)
			}
			w.Do(t, Request{Method: "GET", Path: path, Header: header})
		}
	}
	w.Do(t, Get("/pets?q=un%6Bnown").WithKey("k-known"))
	for path, least := range map[string]int{"/admin/requests": 16, "/sandboxes/ada/admin/requests": 3} {
		journal := string(w.Do(t, Get(path).WithKey("a-known")).Body)
		journal = regexp.MustCompile(`"body":"([^"\\]|\\.)*"`).ReplaceAllString(journal, "") // an error quotes the path
		journal = strings.NewReplacer("%3D", "=", "%6F", "o").Replace(journal)
		if strings.Contains(journal, "-known") || strings.Contains(journal, "=known") ||
			strings.Count(journal, `"operationId"`) < least {
			t.Errorf("the journal has a key, or fewer than %d entries:\n%.2000s", least, journal)
		}
		if path == "/admin/requests" && !strings.Contains(journal, "q=un%6Bnown") {
			t.Errorf("the journal redacts more than keys:\n%.2000s", journal)
		}
	}
}
