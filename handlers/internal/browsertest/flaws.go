package browsertest

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// flaws collects the errors in a page that fail the test.
type flaws struct {
	mu      sync.Mutex // guards the fields below
	origins []string   // origins of the pages that the test has opened
	allowed []*regexp.Regexp
	found   []string
}

// Allow ignores errors that match the pattern. The browser reports each response with a status of
// 400 or more as an error, even if the page expects it; `status of 4\d\d` allows those below 500.
func (p *Page) Allow(pattern string) {
	p.flaws.mu.Lock()
	defer p.flaws.mu.Unlock()
	p.flaws.allowed = append(p.flaws.allowed, regexp.MustCompile(pattern))
}

// list returns the errors that were not allowed.
func (f *flaws) list() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.found), func(flaw string) bool {
		return slices.ContainsFunc(f.allowed, func(pattern *regexp.Regexp) bool { return pattern.MatchString(flaw) })
	})
}

func (f *flaws) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, fmt.Sprintf(format, args...))
}

func (f *flaws) allowHost(address string) {
	if parsed, err := url.Parse(address); err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.origins = append(f.origins, parsed.Scheme+"://"+parsed.Host)
	}
}

// opened returns the origins of the pages that the test has opened, without duplicates.
func (f *flaws) opened() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(f.origins)))
}

// listen records the errors that a browser event reports.
func (f *flaws) listen(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		f.checkHost(e.Request.URL)
	case *network.EventWebSocketCreated:
		f.checkHost(e.URL)
	case *log.EventEntryAdded: // failed requests and violations of the Content-Security-Policy
		if e.Entry.Level == log.EntryLevelError {
			f.add("logs an error: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			text := ""
			for _, arg := range e.Args {
				text += " " + string(arg.Value) + arg.Description
			}
			f.add("logs an error:%s", text)
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		f.add("throws: %s", text)
	}
}

// checkHost records an error if the test has opened no page on the host of the URL.
func (f *flaws) checkHost(address string) {
	parsed, err := url.Parse(address)
	f.mu.Lock()
	known := err == nil &&
		(parsed.Host == "" ||
			slices.ContainsFunc(f.origins, func(origin string) bool {
				return strings.HasSuffix(origin, "://"+parsed.Host)
			}))
	f.mu.Unlock()
	if !known {
		f.add("asks another host: %s", address)
	}
}
