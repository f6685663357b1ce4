package petstoretest

import (
	"net/http"
	"net/http/httptest"

	"example.com/petstore/handlers/sandbox"
)

// Report returns who has used what is deprecated, in the order of the first use. It
// tells 1000 callers apart and leaves others out.
func (s *Sandbox) Report() []sandbox.Use {
	uses, _ := s.sandbox.Report.Uses()
	return uses
}

// ReportJUnit returns the report as a JUnit file that a pipeline can fail on: a
// failed test for each use, a passed one for each deprecated operation that nobody
// used.
func (s *Sandbox) ReportJUnit() string {
	s.t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/admin/report?format=junit", http.NoBody)
	r.Header.Set("X-Sandbox", s.Name)
	if s.core.adminKey != "" {
		r.Header.Set("Authorization", "Bearer "+s.core.adminKey)
	}
	w := httptest.NewRecorder()
	s.core.service.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		s.t.Fatalf("petstoretest: GET /admin/report: %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}
