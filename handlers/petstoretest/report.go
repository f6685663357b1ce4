package petstoretest

// Report returns who has used what is deprecated, in the order of the first use. It
// tells 1000 callers apart and leaves others out.
func (s *Sandbox) Report() []Use {
	s.t.Helper()
	uses, _ := s.live().Report.Uses()
	return uses
}

// ReportJUnit returns the report as a JUnit file that a pipeline can fail on: a
// failed test for each use, a passed one for each deprecated operation that nobody
// used.
func (s *Sandbox) ReportJUnit() string {
	s.t.Helper()
	file, err := s.live().ReportJUnit()
	s.must(err)
	return string(file)
}
