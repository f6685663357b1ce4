package rest

import (
	"bytes"
	"net/http"
	"strconv"
)

// Header values that are shared by all answers and never changed.
var contentTypeJSON = []string{typeJSON}

// SetHeader sets a header of the answer, whose name is in canonical form, to one value.
func (x *Exchange) SetHeader(name, value string) {
	if x.valued == len(x.values) {
		x.W.Header()[name] = []string{value}
		return
	}
	x.values[x.valued] = value
	x.valued++
	x.W.Header()[name] = x.values[x.valued-1 : x.valued : x.valued]
}

// JSON answers a value. It encodes before it sends, so that a value that does
// not encode is an error like any other. The error may be a [memory.Full].
func (x *Exchange) JSON(status int, v any) error {
	return x.encoded(status, v, x.Hold)
}

// encoded is JSON with what promises the memory.
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

// Found answers a read of one record with its entity tag: 304 where the client has it
// already, 412 where it wants another.
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

// inert keeps a document that is opened by itself from doing anything (CSP level 3).
const inert = "default-src 'none'; sandbox"

// Drawing answers a read of an SVG picture as [Exchange.Found] does that of a record.
func (x *Exchange) Drawing(conditions Preconditions, svg []byte) error {
	tag := entityTag(svg)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	x.SetHeader("Content-Security-Policy", inert)
	return x.Document("image/svg+xml", svg)
}

// precondition answers 304 where the conditions of a read ask for that, and reports
// whether it did.
func (x *Exchange) precondition(conditions Preconditions, tag string) (done bool, err error) {
	notModified, err := conditions.evaluate(tag)
	if err != nil || notModified == "" {
		return false, err
	}
	x.SetHeader("Etag", notModified)
	x.W.WriteHeader(http.StatusNotModified)
	return true, nil
}

// Encoded answers a record that was written, by its JSON, with its entity tag.
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

// Created answers a new record that has an address of its own.
func (x *Exchange) Created(location string, record []byte) error {
	x.SetHeader("Location", x.URL(x.Mount+location))
	return x.Encoded(http.StatusCreated, record)
}

// NoContent answers that it is done and that there is nothing to say.
func (x *Exchange) NoContent() error {
	x.W.WriteHeader(http.StatusNoContent)
	return nil
}

// write answers JSON, which a newline ends for those who read it in a terminal.
func (x *Exchange) write(status int, body *bytes.Buffer) error {
	body.WriteByte('\n')
	x.W.Header()["Content-Type"] = contentTypeJSON
	x.send(status, body.Bytes())
	return nil
}

// Reply answers what somebody else has made, whose memory is promised.
func (x *Exchange) Reply(status int, contentType string, body []byte) error {
	if contentType != "" {
		x.SetHeader("Content-Type", contentType)
	}
	x.send(status, body)
	return nil
}

// Document answers a document of the given content type, which is never the client's, and
// which was made for this answer. The error is a [memory.Full].
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

// File answers a file of the program with its entity tag: 304 where the client has it
// already.
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
	_, _ = x.W.Write(body) // a client that has gone is no fault of the operation's
}
