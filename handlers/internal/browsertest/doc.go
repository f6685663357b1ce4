// Package browsertest shows pages in a real browser, Debian's chromium, as a person
// would: it finds what it clicks by the role and the name that a screen reader tells.
//
// A test binary has one browser, which the first test starts and [Closing] ends; each
// [Page] has a profile to itself, so that tests run in parallel. A page fails its test
// by itself where a script of it has an error, where it breaks its Content-Security-Policy,
// and where it asks another host.
//
//	func TestMain(m *testing.M) { contracttest.Main(browsertest.Closing(m)) }
//
//	page := browsertest.Open(t, srv.URL+"/docs/")
//	page.Click("button", "Execute")
//	page.Wait(`document.querySelectorAll("tr").length === 3`)
//
// # Files
//
//	browser.go  the browser, one a test binary
//	tab.go      tabs, which one test after another has
//	page.go     Page: a page in a profile of its own
//	acts.go     what a person does in it
//	sees.go     what a person sees of it
//	element.go  how an element is found and clicked
//	flaws.go    what fails every test
//	looks.go    States: each state of a page in every look
//	shots.go    pictures of them
//	axe.go      what axe-core finds in them
package browsertest
