package rest

import "net/http"

// Plain is an http.ResponseWriter in front of one that compresses. It captures the start of the
// uncompressed body for the journal.
type Plain struct {
	http.ResponseWriter
	Body []byte // the first Most bytes
	Most int
	Size int64 // of the whole body, or -1 if unknown
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (p *Plain) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader sends the status line and the headers.
func (p *Plain) WriteHeader(status int) {
	p.Size = ContentLength(p.Header())
	p.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (p *Plain) Write(part []byte) (int, error) {
	p.Body = append(p.Body, part[:min(len(part), p.Most-len(p.Body))]...)
	return p.ResponseWriter.Write(part)
}
