package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// attendee is an attendee of a workshop, with a sandbox and its key.
type attendee struct {
	client   *http.Client
	url, key string
}

// doneByAttendee is the number of exercises that a day completes, which is all of them.
const doneByAttendee = 5

// step is a request with its expected status.
type step struct {
	method, path, body string
	status             int
}

// day does the exercises, with a pause after each request: it reads and writes, reads headers,
// makes mistakes, and restores the data. It returns the number of responses.
func (a *attendee) day(ctx context.Context, pause time.Duration) (answered int, err error) {
	var pet struct{ ID int }
	do := func(s step, headers ...string) (http.Header, []byte) {
		if err != nil {
			return nil, nil
		}
		var body []byte
		var header http.Header
		if body, header, err = a.send(ctx, s.method, s.path, s.body, s.status, headers...); err != nil {
			return nil, nil
		}
		answered++
		time.Sleep(pause) // at the pace of a person
		return header, body
	}
	do(step{"GET", "/pets?status=sold", "", 200})
	do(step{"GET", "/pets?limit=20&sort=-name", "", 200})
	do(step{"POST", "/pets", `{"categoryId": 1}`, 400})
	do(step{"POST", "/pets", `{"name": "Rex", "categoryId": 4711}`, 422})
	_, made := do(step{"POST", "/pets", `{"name": "Rex", "categoryId": 1}`, 201})
	if err != nil {
		return answered, err
	}
	if err := json.Unmarshal(made, &pet); err != nil {
		return answered, err
	}
	path := fmt.Sprintf("/pets/%d", pet.ID)
	header, _ := do(step{"GET", path, "", 200})
	do(step{"PATCH", path, `{"status": "pending"}`, 200}, "If-Match", header.Get("Etag"))
	do(step{"PATCH", path, `{"status": "sold"}`, 412}, "If-Match", header.Get("Etag"))
	do(step{"GET", fmt.Sprintf("/pets?id=%d", pet.ID), "", 200})
	do(step{"POST", "/store/orders", fmt.Sprintf(`{"petId": %d}`, pet.ID), 201})
	do(step{"GET", "/store/inventory", "", 200})
	do(step{"GET", "/nowhere", "", 404})
	do(step{"DELETE", path, "", 204})
	do(step{"POST", "/admin/reset?only=data", "", 200})
	return answered, err
}

// send makes a request with the attendee's key and returns the response, which must have the given
// status.
func (a *attendee) send(ctx context.Context, method, path, body string, status int, headers ...string) ([]byte, http.Header, error) {
	r, err := http.NewRequestWithContext(ctx, method, a.url+path, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if a.key != "" {
		r.Header.Set("Authorization", "Bearer "+a.key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := a.client.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != status {
		err = fmt.Errorf("%s %s: %d, want %d: %.200s", method, path, response.StatusCode, status, answer)
	}
	return answer, response.Header, err
}
