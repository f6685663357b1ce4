package pages_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// idle matches the modules that a page loads once it is idle, or earlier if a user opens them.
var idle = regexp.MustCompile(`/dashboard/((?:copy)?test\w*|absent|edit|archive|breaks|bulkbar|changed|conflict|` +
	`columns|contents|control|drafts|following|groups|hits|import|lastwrite|lifecycles?|manywrites|merge|nothing|` +
	`past|older|pastrows|picks|preview|record|related|report|rule(?:list)?|setstatus|verdict)\.js$|` +
	`/shell/(?:commands|download|failure|help|naming|palette|languages|panel|rank|reset|snippets|trouble)\.js$`)

// TestWeightOfPages checks that the transfer size of each page and its files, without the typefaces,
// stays below a limit when the browser's cache is empty.
func TestWeightOfPages(t *testing.T) {
	t.Parallel()
	const most = 170_000 // bytes
	w := newWorkshop(t)
	for _, address := range []string{"/", "/join", "/workshop"} {
		weight := 0
		for name := range load(t, w, address) {
			// Only comments import types.
			if path.Base(name) != "types.js" && path.Ext(name) != ".woff2" && !idle.MatchString(name) {
				weight += transferred(t, w, name)
			}
		}
		if weight > most {
			t.Errorf("the page at %s has %d bytes, of at most %d", address, weight, most)
		}
	}
}

// TestWeightOfFaces checks that the total size of both typefaces is small.
func TestWeightOfFaces(t *testing.T) {
	t.Parallel()
	const most = 60_000 // bytes
	w := newWorld(t)
	faces := 0
	for name := range load(t, w, "/") {
		if path.Ext(name) == ".woff2" {
			faces += transferred(t, w, name)
		}
	}
	if faces == 0 || faces > most {
		t.Errorf("the typefaces have %d bytes, of at most %d", faces, most)
	}
}

// TestFilesOfFirstView checks that a page links to few files, and to every module that these
// import, so that a browser requests all of them as soon as it has the page. Few of the modules come
// before the first request to the API.
func TestFilesOfFirstView(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	linked := regexp.MustCompile(`(?:src|href)="(pages/[^"]+)"`)
	imported := regexp.MustCompile(`(?m)^(?:import|export)(?: [^"\n;=]* from)? "(\.{1,2}/[^"]+\.js)"`)
	for address, most := range map[string]struct{ files, first int }{
		"/": {42, 12}, "/?view=data": {56, 12}, "/?view=sandboxes": {42, 12}, "/join": {30, 30}, "/workshop": {42, 34},
	} {
		html := w.Must(t, Request{Method: "GET", Path: address, Header: fromBrowser}).Body
		files := make(map[string]bool)
		for _, match := range linked.FindAllSubmatch(html, -1) {
			files["/"+string(match[1])] = true
		}
		first := bytes.Count(html, []byte(`<link rel="modulepreload" href=`)) // the others have a low priority
		if len(files) > most.files || first > most.first {
			t.Errorf("%s links to %d files, %d of them modules that come first, of at most %+v", address, len(files),
				first, most)
		}
		for name := range files {
			if path.Ext(name) != ".js" || strings.Contains(name, "/library/") {
				continue
			}
			for _, match := range imported.FindAllSubmatch(w.Must(t, Get(name)).Body, -1) {
				if to := path.Join(path.Dir(name), string(match[1])); !files[to] {
					t.Errorf("%s links to %s, but not to %s, which that imports", address, name, to)
				}
			}
		}
	}
}

// TestSecondVisitLoadsNoFile checks that a browser caches every file of a page, by the version in its
// path.
func TestSecondVisitLoadsNoFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := browsertest.Open(t, "about:blank")
	const loaded = `performance.getEntriesByType("resource").filter((e) => e.name.includes("/pages/") && e.transferSize > 0).map((e) => e.name)`
	var twice []string // what is loaded later may come after the first visit
	for _, visit := range []string{"first", "second"} {
		p.Open(w.URL + "/")
		p.WaitText(".live", "live")
		p.Wait(`document.querySelector(".filters")`)
		names := browsertest.Eval[[]string](p, loaded)
		if visit == "first" {
			if twice = names; len(names) == 0 {
				t.Error("the first visit loads no file, so the second proves nothing")
			}
		}
		twice = slices.DeleteFunc(twice, func(name string) bool { return !slices.Contains(names, name) })
	}
	if len(twice) > 0 {
		t.Errorf("the second visit loads %q again", twice)
	}
}

// transferred returns the size of the response to a browser's request for the path.
func transferred(t *testing.T, w *world, path string) int {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL+path, nil))(t)
	r.Header.Set("Accept", fromBrowser.Get("Accept"))
	r.Header.Set("Accept-Encoding", "gzip")
	answer := must.Get(w.Client.Do(r))(t)
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, answer.Status, err)
	}
	return int(n)
}

// BenchmarkPages opens each page in a browser with an empty cache. It reports the transferred
// bytes, including headers, and the time until the first paint.
func BenchmarkPages(b *testing.B) {
	srv := petstoretest.Run(b, petstoretest.WithConfig(extras.Add),
		petstoretest.WithConfig(func(c *petstoretest.Config) { c.Workshop = true }))
	for name, address := range map[string]string{"dashboard": "/", "join": "/join", "workshop": "/workshop",
		"docs": "/docs/"} {
		b.Run(name, func(b *testing.B) {
			p := browsertest.Open(b, srv.URL+address)
			p.Do(caching(false))
			b.Cleanup(func() { p.Do(caching(true)) }) // other benchmarks use the tab
			var bytes, paint float64
			for b.Loop() {
				p.Open(srv.URL + address)
				p.Wait(`document.readyState === "complete" && performance.getEntriesByName("first-contentful-paint").length > 0`)
				bytes += browsertest.Eval[float64](p,
					`[...performance.getEntriesByType("navigation"), `+
						`...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.transferSize, 0)`)
				paint += browsertest.Eval[float64](p,
					`performance.getEntriesByName("first-contentful-paint")[0].startTime`)
			}
			b.ReportMetric(bytes/float64(b.N), "B/load")
			b.ReportMetric(paint/float64(b.N), "ms-to-first-paint")
		})
	}
}

// BenchmarkFirstRequests opens the dashboard while a round trip takes 80 ms, first with an empty cache and
// then again. It reports the times until the page is live and until it shows the requests.
func BenchmarkFirstRequests(b *testing.B) {
	srv := petstoretest.Run(b, petstoretest.WithConfig(extras.Add))
	for _, path := range []string{"/pets", "/pets/99999", "/orders"} {
		answer := must.Get(srv.Client.Get(srv.URL + path))(b)
		answer.Body.Close()
	}
	for _, visit := range []string{"first visit", "second visit"} {
		b.Run(visit, func(b *testing.B) {
			p := browsertest.Open(b, srv.URL+"/")
			p.Wait(`document.querySelector(".request")`)
			p.Do(caching(visit == "second visit"),
				delayed(&network.Conditions{Latency: 80, DownloadThroughput: -1, UploadThroughput: -1}))
			b.Cleanup(func() { p.Do(caching(true), delayed()) }) // other benchmarks use the tab
			eachDocument(b, p, `new MutationObserver(() => {
				if (document.querySelector(".live")?.textContent.trim() === "live") window.live ??= performance.now()
				if (document.querySelector(".request")) window.shown ??= performance.now()
			}).observe(document, {subtree: true, childList: true, characterData: true})`)
			var live, shown float64
			for b.Loop() {
				p.Open(srv.URL + "/")
				p.Wait(`window.live && window.shown`)
				live += browsertest.Eval[float64](p, `live`)
				shown += browsertest.Eval[float64](p, `shown`)
			}
			b.ReportMetric(live/float64(b.N), "ms-to-live")
			b.ReportMetric(shown/float64(b.N), "ms-to-requests")
		})
	}
}

// BenchmarkArrivals opens the dashboard, and then sends 10,000 requests to the server. It reports the work of
// the main thread until the page has counted all of them, and its longest task (0 if none took 50 ms).
func BenchmarkArrivals(b *testing.B) {
	const requests = 10_000
	var worked time.Duration
	var longest float64
	for b.Loop() {
		srv := petstoretest.Run(b, petstoretest.WithConfig(extras.Add))
		p := browsertest.Open(b, srv.URL+"/")
		p.WaitText(".live", "live")
		p.See("button", "Throttle: Normal") // the page has read the sandbox
		browsertest.Eval[any](p, `void (window.longest = 0, new PerformanceObserver((list) => {
			longest = Math.max(longest, ...list.getEntries().map((e) => e.duration))
		}).observe({type: "longtask"}))`)
		before := p.Worked()
		for range requests {
			answer := must.Get(srv.Client.Get(srv.URL + "/pets?limit=1"))(b)
			answer.Body.Close()
		}
		p.WaitText(".filters", "of 10,000")
		p.Wait(`new Promise((soon) => requestAnimationFrame(() => setTimeout(soon, 0, true)))`)
		worked += p.Worked() - before
		longest = max(longest, browsertest.Eval[float64](p, `longest`))
	}
	b.ReportMetric(float64(worked.Milliseconds())/float64(b.N), "ms-of-work")
	b.ReportMetric(longest, "ms-longest-task")
}

// delayed sets the conditions of the network for all requests of the page.
func delayed(conditions ...*network.Conditions) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, network.EmulateNetworkConditionsByRule,
			network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: conditions})
		return err
	})
}

// caching enables or disables the browser's cache.
func caching(on bool) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: !on})
		return err
	})
}
