package pages_test

import (
	"bytes"
	"image/png"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// width is the width of the pictures in the README.
const width = 1120

// TestPictures shows the pages whose pictures are in the README. To update the pictures, run
// this command, review the result and commit it:
//
//	go test ./handlers/pages -run TestPictures -screenshots ../../testdata/pictures
func TestPictures(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64 // ms
	srv := petstoretest.Run(t, petstoretest.WithConfig(extras.Add),
		petstoretest.WithConfig(func(c *petstoretest.Config) {
			c.Now = func() time.Time {
				return time.Date(2026, 11, 23, 9, 30, 12, 0, time.UTC).
					Add(time.Duration(passed.Load()) * time.Millisecond)
			}
		}))
	send := func(client, method, path, body string) {
		t.Helper()
		passed.Add(int64(311 * len(client+path) % 4000))
		r := must.Get(http.NewRequestWithContext(t.Context(), method, srv.URL+path, strings.NewReader(body)))(t)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("User-Agent", client+"/2.4")
		answer := must.Get(srv.Client.Do(r))(t)
		answer.Body.Close()
	}
	send("shop-web", "GET", "/categories", "")
	send("shop-web", "GET", "/pets?limit=12", "")
	send("shop-ios", "GET", "/pets/7", "")
	send("stock", "PUT", "/store/inventory/7", `{"quantity": 4}`)
	send("shop-web", "POST", "/store/orders", `{"petId": 7, "quantity": 1}`)
	send("shop-web", "POST", "/pets", `{"name": "", "categoryId": 9999}`)
	send("shop-ios", "GET", "/messages", "")
	srv.Fault(petstoretest.Rule{Match: &petstoretest.Match{OperationID: "listOrders"}, Status: new(503)})
	send("billing", "GET", "/store/orders?complete=false", "")
	send("shop-ios", "GET", "/pets/12", "")

	p := browsertest.Open(t, srv.URL+"/?id=6")
	p.Resize(width, 444)
	p.WaitText(".detail .why", "2 errors in the body")
	p.WaitText(".live", "live")
	p.Screenshot("requests")

	day := func(year int, month time.Month) time.Time { return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC) }
	srv.SetLifecycle("replacePet", petstoretest.Lifecycle{
		Deprecated: true, DeprecatedSince: day(2027, time.March), Sunset: day(2029, time.July),
		Successor: "/pets/{petId}", EnforceSunset: true,
	})
	srv.SetTime(time.Date(2029, 8, 1, 9, 30, 0, 0, time.UTC))
	srv.Freeze()
	send("shop-ios", "PUT", "/pets/12", `{"name": "Rex", "categoryId": 1}`)
	p.Open(srv.URL + "/?view=time")
	p.WaitText(".lanes", "2 calls · since 2026-01-01")
	p.WaitText(".live", "live")
	// None is cut.
	p.Wait(`(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector(".chips"))`)
	p.Resize(width, 430) // two lanes, and no part of what is below them
	p.Screenshot("time")
	p.Resize(1280, 408)
	p.WaitText(".chips", "2029-08-01 1 operation 1 fault")
}

// TestReadmeShowsThePictures checks that the pictures are small and have alternative text.
func TestReadmeShowsThePictures(t *testing.T) {
	t.Parallel()
	readme := must.Get(os.ReadFile("../../README.md"))(t)
	for _, name := range []string{"requests", "time"} {
		picture := must.Get(os.ReadFile("../../testdata/pictures/" + name + ".png"))(t)
		if size, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || len(picture) > 120_000 ||
			size.Width != width {
			t.Errorf("%s.png has %d bytes and is %d wide, %v", name, len(picture), size.Width, err)
		}
		if alt, _, found := strings.Cut(string(readme), "](testdata/pictures/"+name+".png)"); !found ||
			len(alt)-strings.LastIndex(alt, "![") < 60 {
			t.Errorf("the README does not show %s.png, or not with words for who cannot see it", name)
		}
	}
}
