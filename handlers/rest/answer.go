package rest

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var contentTypeJSON = []string{typeJSON} // shared by all answers and never changed

// JSON answers a value. It encodes before it sends, so that a value that does
// not encode is an error like any other.
func (x *Exchange) JSON(status int, v any) error {
	body, err := Encode(v)
	if err != nil {
		return err
	}
	return x.write(status, body)
}

// Encode returns the JSON of a value. Invalid UTF-8, which can only come from a
// request line or a header that an error repeats, becomes U+FFFD. Maps come in the
// order of their keys, so that equal values are equal bytes.
func Encode(v any) ([]byte, error) { return json.Marshal(v, encoding) }

var encoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// Found answers a read of one record with its entity tag: 304 where the client has it
// already, 412 where it wants another.
func (x *Exchange) Found(conditions Preconditions, record any) error {
	body, err := Encode(record)
	if err != nil {
		return err
	}
	tag := entityTag(body)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	return x.tagged(http.StatusOK, tag, body)
}

// precondition answers 304 where the conditions of a read ask for that, and reports
// whether it did.
func (x *Exchange) precondition(conditions Preconditions, tag string) (done bool, err error) {
	notModified, err := conditions.evaluate(tag)
	if err != nil || notModified == "" {
		return false, err
	}
	x.W.Header()["Etag"] = []string{notModified}
	x.W.WriteHeader(http.StatusNotModified)
	return true, nil
}

// Encoded answers a record that was written, by its JSON, with its entity tag.
func (x *Exchange) Encoded(status int, body []byte) error {
	return x.tagged(status, entityTag(body), body)
}

func (x *Exchange) tagged(status int, tag string, body []byte) error {
	x.W.Header()["Etag"] = []string{tag}
	return x.write(status, body)
}

// Created answers a new record that has an address of its own.
func (x *Exchange) Created(location string, body []byte) error {
	x.W.Header()["Location"] = []string{x.URL(location)}
	return x.Encoded(http.StatusCreated, body)
}

// NoContent answers that it is done and that there is nothing to say.
func (x *Exchange) NoContent() error {
	x.W.WriteHeader(http.StatusNoContent)
	return nil
}

func (x *Exchange) write(status int, body []byte) error {
	header := x.W.Header()
	header["Content-Type"] = contentTypeJSON
	header["Content-Length"] = []string{strconv.Itoa(len(body) + len(newline))}
	x.W.WriteHeader(status)
	// A client that has gone is no fault of the operation's.
	_, _ = x.W.Write(body)
	_, _ = x.W.Write(newline)
	return nil
}

// newline ends every JSON answer, for those who read it in a terminal.
var newline = []byte("\n")

// Document answers a page or a document of the given content type, which is
// never the client's.
func (x *Exchange) Document(contentType string, body []byte) error {
	header := x.W.Header()
	header["Content-Type"] = []string{contentType}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.W.WriteHeader(http.StatusOK)
	_, _ = x.W.Write(body)
	return nil
}
