// Package browsertest uses pages in a real browser, Debian's chromium, as a person would: it finds
// elements by the role and the name that a screen reader announces.
//
// A test binary has one browser, which the first test starts and [Closing] ends. Each [Page] has its
// own profile, so tests run in parallel. A page fails its test if one of its scripts has an error,
// if it violates its Content-Security-Policy, or if it sends a request to another host.
//
//	func TestMain(m *testing.M) { contracttest.Main(browsertest.Closing(m)) }
//
//	page := browsertest.Open(t, srv.URL+"/docs/")
//	page.Click("button", "Execute")
//	page.Wait(`document.querySelectorAll("tr").length === 3`)
//
// # Files
//
//	browser.go  starts and stops the browser
//	tab.go      reuses tabs
//	page.go     opens pages and evaluates scripts
//	acts.go     clicks, types and chooses
//	sees.go     waits for text and elements
//	element.go  finds elements by role and name
//	flaws.go    fails tests for errors of a page
//	looks.go    shows each state in each scheme and width
//	shots.go    takes screenshots
//	axe.go      runs axe-core
package browsertest
