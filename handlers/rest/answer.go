package rest

import (
	"bytes"
	"net/http"
	"strconv"
)

// Header values that all responses share. They never change.
var contentTypeJSON = []string{typeJSON}

// SetHeader sets a response header to one value. The name must be in canonical form.
func (x *Exchange) SetHeader(name, value string) {
	if x.valued == len(x.values) {
		x.W.Header()[name] = []string{value}
		return
	}
	x.values[x.valued] = value
	x.valued++
	x.W.Header()[name] = x.values[x.valued-1 : x.valued : x.valued]
}

// JSON writes a value as JSON. It encodes before it sends, so a value that cannot be encoded is an
// ordinary error. The error may be a [memory.Full].
func (x *Exchange) JSON(status int, v any) error {
	return x.encoded(status, v, x.Hold)
}

// encoded is JSON with a function that reserves the memory.
func (x *Exchange) encoded(status int, v any, hold func(bytes int64) error) error {
	body := takeBuffer()
	defer releaseBuffer(body)
	if err := encode(body, v); err != nil {
		return err
	}
	if err := hold(heldBy(body)); err != nil {
		return err
	}
	return x.write(status, body)
}

// Found writes a record with its entity tag: 304 if the client has it already, 412 if If-Match
// names another.
func (x *Exchange) Found(conditions Preconditions, record Record) error {
	body := takeBuffer()
	defer releaseBuffer(body)
	body.Write(record.AppendJSON(body.AvailableBuffer()))
	tag := entityTag(body.Bytes())
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	return x.tagged(http.StatusOK, tag, body)
}

// inert disables everything in a document that is opened by itself (CSP level 3).
const inert = "default-src 'none'; sandbox"

// Drawing writes an SVG picture, with conditions as for [Exchange.Found].
func (x *Exchange) Drawing(conditions Preconditions, svg []byte) error {
	tag := entityTag(svg)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	x.SetHeader("Content-Security-Policy", inert)
	return x.Document("image/svg+xml", svg)
}

// precondition writes a 304 if the conditions of a read ask for it, and reports whether it did.
func (x *Exchange) precondition(conditions Preconditions, tag string) (done bool, err error) {
	notModified, err := conditions.evaluate(tag)
	if err != nil || notModified == "" {
		return false, err
	}
	x.SetHeader("Etag", notModified)
	x.W.WriteHeader(http.StatusNotModified)
	return true, nil
}

// Encoded writes the JSON of a changed record, with its entity tag.
func (x *Exchange) Encoded(status int, record []byte) error {
	body := takeBuffer()
	defer releaseBuffer(body)
	body.Write(record)
	return x.tagged(status, entityTag(record), body)
}

func (x *Exchange) tagged(status int, tag string, body *bytes.Buffer) error {
	x.SetHeader("Etag", tag)
	return x.write(status, body)
}

// Created writes the JSON of a new record, with its location.
func (x *Exchange) Created(location string, record []byte) error {
	x.SetHeader("Location", x.URL(x.Operation.Mount+location))
	return x.Encoded(http.StatusCreated, record)
}

// NoContent writes a 204.
func (x *Exchange) NoContent() error {
	x.W.WriteHeader(http.StatusNoContent)
	return nil
}

// write writes JSON followed by a newline, for terminals.
func (x *Exchange) write(status int, body *bytes.Buffer) error {
	body.WriteByte('\n')
	x.W.Header()["Content-Type"] = contentTypeJSON
	x.send(status, body.Bytes())
	return nil
}

// Reply writes a body whose memory is already reserved.
func (x *Exchange) Reply(status int, contentType string, body []byte) error {
	if contentType != "" {
		x.SetHeader("Content-Type", contentType)
	}
	x.send(status, body)
	return nil
}

// Document writes a document made for this response. Its content type must never come from the
// client. The error is a [memory.Full].
func (x *Exchange) Document(contentType string, body []byte) error {
	if err := x.Hold(int64(cap(body))); err != nil {
		return err
	}
	return x.document(contentType, body)
}

func (x *Exchange) document(contentType string, body []byte) error {
	x.SetHeader("Content-Type", contentType)
	x.send(http.StatusOK, body)
	return nil
}

// File writes a file of the program with its entity tag, or 304 if the client has it already.
func (x *Exchange) File(contentType string, body []byte) error {
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	tag := entityTag(body)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	return x.document(contentType, body)
}

func (x *Exchange) send(status int, body []byte) {
	x.SetHeader("Content-Length", strconv.Itoa(len(body)))
	x.W.WriteHeader(status)
	_, _ = x.W.Write(body) // a disconnected client is not an error of the operation
}
