// Package browsertest tests pages in a real browser, Debian's chromium-headless-shell or chromium.
// Like a screen reader, it finds elements by accessible role and name.
//
// A test binary has one browser, which the first test starts and [Closing] stops. Each [Page] has
// its own profile, so tests can run in parallel. A page fails its test if one of its scripts has an
// error, if it violates its Content-Security-Policy, or if it sends a request to another host.
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
//	acts.go     clicks, types and selects options, and counts these actions
//	sees.go     waits for text and elements
//	element.go  finds elements by role and name
//	flaws.go    fails tests if a page has errors
//	work.go     measures the work of a page
//	looks.go    shows pages in different color schemes and widths
//	shots.go    takes screenshots
//	axe.go      runs axe-core
package browsertest
