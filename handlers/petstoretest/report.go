package petstoretest

import "example.com/petstore/handlers/rest"

// Report returns the uses of deprecated operations, in the order of their first calls. It has at
// most the first 1000 uses, each of one operation by one caller.
func (s *Sandbox) Report() []Use {
	s.t.Helper()
	uses, _ := s.live().Report.Uses()
	return uses
}

// ReportJUnit returns the report as a JUnit file, which makes a CI pipeline fail if a deprecated
// operation was used. It has a failed test case for each use, and a passed one for each deprecated
// operation that was not used.
func (s *Sandbox) ReportJUnit() string {
	s.t.Helper()
	file, err := s.live().ReportJUnit(rest.NameCaller)
	s.must(err)
	return string(file)
}
