// Package shop is a client of the pet store as an application has one.
package shop

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// Pet is a pet of the store.
type Pet struct {
	ID         int64  `json:"id,omitempty"`
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status,omitempty"`
}

// attempts is how often a request is made before its failure counts.
const attempts = 5

// Shop uses the store at URL.
type Shop struct {
	URL    string
	Client *http.Client
	Log    *slog.Logger // hears of requests that will be refused one day
}

// Pets returns all pets that match, page by page. An error is the last of what it yields.
func (s *Shop) Pets(ctx context.Context, query url.Values) iter.Seq2[Pet, error] {
	return func(yield func(Pet, error) bool) {
		query.Set("limit", "100")
		for next := s.URL + "/pets?" + query.Encode(); next != ""; {
			var page []Pet
			response, err := s.do(ctx, http.MethodGet, next, nil, &page)
			if err != nil {
				yield(Pet{}, err)
				return
			}
			for _, pet := range page {
				if !yield(pet, nil) {
					return
				}
			}
			next = link(response, "next")
		}
	}
}

// Pet returns a pet.
func (s *Shop) Pet(ctx context.Context, id int64) (Pet, error) {
	var pet Pet
	response, err := s.do(ctx, http.MethodGet, fmt.Sprintf("%s/pets/%d", s.URL, id), nil, &pet)
	if response == nil || response.StatusCode != http.StatusGone {
		return pet, err
	}
	var found []Pet
	if _, err := s.do(ctx, http.MethodGet, link(response, "successor-version"), nil, &found); err != nil {
		return Pet{}, err
	}
	if len(found) == 0 {
		return Pet{}, fmt.Errorf("there is no pet %d", id)
	}
	return found[0], nil
}

// AddPet creates a pet, once, however often it has to ask.
func (s *Shop) AddPet(ctx context.Context, pet Pet) (Pet, error) {
	_, err := s.do(ctx, http.MethodPost, s.URL+"/pets", pet, &pet)
	return pet, err
}

// do makes a request, again if the service is unavailable or the connection breaks, and reads
// the answer into result.
func (s *Shop) do(ctx context.Context, method, address string, body, result any) (*http.Response, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	key := strconv.Quote(rand.Text()) // makes POST safe to repeat
	for attempt := 1; ; attempt++ {
		response, text, err := s.try(ctx, method, address, key, sent)
		if attempt < attempts && (err != nil || response.StatusCode >= 502) {
			if err := wait(ctx, response, attempt); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if sunset := response.Header.Get("Sunset"); sunset != "" {
			s.Log.WarnContext(ctx, "deprecated", "method", method, "path", response.Request.URL.Path, "sunset", sunset)
		}
		if response.StatusCode >= 300 {
			return response, fmt.Errorf("%s %s: %s: %s", method, address, response.Status, text)
		}
		return response, json.Unmarshal(text, result)
	}
}

func (s *Shop) try(ctx context.Context, method, address, key string, body []byte) (*http.Response, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, nil, err
	}
	if method == http.MethodPost {
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := s.Client.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}

// wait waits as long as the response says, which may be nil, and longer from attempt to attempt.
func wait(ctx context.Context, response *http.Response, attempt int) error {
	delay := 10 * time.Millisecond << attempt
	if response != nil {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 if it does not say
		delay += time.Duration(seconds) * time.Second
	}
	select {
	case <-time.After(delay):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var links = regexp.MustCompile(`<([^>]*)>; rel="([^"]*)"`)

// link returns the address of a link of the response, or "".
func link(response *http.Response, relation string) string {
	for _, header := range response.Header.Values("Link") {
		for _, match := range links.FindAllStringSubmatch(header, -1) {
			if match[2] != relation {
				continue
			}
			if to, err := response.Request.URL.Parse(match[1]); err == nil {
				return to.String()
			}
		}
	}
	return ""
}
