package middleware

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
)

// serve answers one request over a real connection as the rule says.
func serve(t *testing.T, rule fault.Rule, method string, handle rest.Handler) (*http.Response, []byte, error) {
	t.Helper()
	return serveBy(t, (*httptest.Server).Start, rule, method, handle)
}

func serveBy(t *testing.T, start func(*httptest.Server), rule fault.Rule, method string, handle rest.Handler) (*http.Response, []byte, error) {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := faulty(t, rule, nil)
		x := rest.NewExchange(new(rest.Server), w, r)
		x.Operation, x.Sandbox, x.Draws = v.x.Operation, v.x.Sandbox, v.x.Draws
		_ = Disturb(x.Operation, handle)(x)
		t.Error("the link returned")
	}))
	start(server)
	defer server.Close()
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, method, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Transport.(*http.Transport).DisableKeepAlives = true // a request on a fresh connection is not sent again
	response, err := client.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func TestFaultResets(t *testing.T) {
	t.Parallel()
	for _, start := range []func(*httptest.Server){(*httptest.Server).Start, (*httptest.Server).StartTLS} {
		ran := false
		_, _, err := serveBy(t, start, fault.Rule{Abort: fault.AbortReset}, http.MethodGet, func(*rest.Exchange) error { ran = true; return nil })
		if !errors.Is(err, syscall.ECONNRESET) || ran {
			t.Errorf("error %v, ran: %t", err, ran)
		}
	}
}

func TestFaultTruncates(t *testing.T) {
	t.Parallel()
	truncate := fault.Rule{Abort: fault.AbortTruncate}
	response, body, err := serve(t, truncate, http.MethodGet, hello)
	if !errors.Is(err, io.ErrUnexpectedEOF) || string(body) != "hello," || response.StatusCode != 201 || response.ContentLength != 12 || response.Header.Get("X-Real") != "yes" {
		t.Errorf("%v; %v; %q", err, response, body)
	}
	stream := func(x *rest.Exchange) error {
		_, _ = io.WriteString(x.W, "data: {}\n\n")
		if err := http.NewResponseController(x.W).Flush(); err == nil || x.R.Context().Err() == nil {
			t.Errorf("a stream that is recorded goes on: %v", err)
		}
		return nil
	}
	if response, body, err := serve(t, truncate, http.MethodGet, stream); !errors.Is(err, io.ErrUnexpectedEOF) || string(body) != "data:" || response.ContentLength != -1 {
		t.Errorf("%v; %v; %q", err, response, body)
	}
	// Where there is no half, nothing is answered.
	for _, none := range []struct {
		method string
		handle rest.Handler
	}{
		{http.MethodHead, hello},
		{http.MethodGet, func(x *rest.Exchange) error { return x.NoContent() }},
		{http.MethodGet, func(x *rest.Exchange) error { _, err := io.WriteString(x.W, "a"); return err }},
	} {
		if response, body, err := serve(t, truncate, none.method, none.handle); err == nil {
			t.Errorf("%s: %v, %q", none.method, response, body)
		}
	}
}

// TestFaultHangs wants nothing to be answered until the client goes.
func TestFaultHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := faulty(t, fault.Rule{Abort: fault.AbortHang}, nil)
		ctx, leave := context.WithTimeout(t.Context(), time.Hour)
		defer leave()
		v.x.R = v.x.R.WithContext(ctx)
		start := time.Now()
		defer func() {
			if p := recover(); p != http.ErrAbortHandler || time.Since(start) != time.Hour || v.reached || v.answer.Body.Len() > 0 {
				t.Errorf("%v after %v; ran: %t, answer %q", p, time.Since(start), v.reached, v.answer.Body)
			}
		}()
		v.to(Disturb, hello)
	})
}

// TestFaultsAreToldBefore wants the journal to know of an abort before the client can.
func TestFaultsAreToldBefore(t *testing.T) {
	t.Parallel()
	for _, abort := range []fault.Abort{fault.AbortReset, fault.AbortTruncate, fault.AbortHang} {
		v := faulty(t, fault.Rule{Abort: abort}, nil)
		ctx, leave := context.WithCancel(t.Context())
		v.x.R = v.x.R.WithContext(ctx)
		told := []rest.Beginning{}
		v.x.Sent.Before = func(b rest.Beginning) {
			b.Body = slices.Clone(b.Body)
			told = append(told, b)
			if v.answer.Body.Len() > 0 {
				t.Errorf("%s: told when %q was out", abort, v.answer.Body)
			}
			leave() // or it would hang
		}
		func() {
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("%s: %v", abort, p)
				}
			}()
			v.to(Disturb, hello)
		}()
		want := rest.Beginning{Broken: true}
		if abort == fault.AbortTruncate {
			want = rest.Beginning{Status: 201, Body: []byte("hello,"), Size: 12, Broken: true}
		}
		if diff := cmp.Diff([]rest.Beginning{want}, told); diff != "" {
			t.Errorf("%s: told, -want +got:\n%s", abort, diff)
		}
	}
}
