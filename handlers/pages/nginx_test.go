package pages_test

import (
	"os"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/browsertest"
)

// TestPagesBehindNginx uses the pages under a path of a host with TLS, as in the recipe.
// Requests must appear as they arrive, the documentation must be able to send them, and
// joining must lead to addresses that exist.
func TestPagesBehindNginx(t *testing.T) {
	t.Parallel()
	browsertest.Require(t)
	programtest.RequireTool(t, "nginx")
	recipe, err := os.ReadFile("../../testdata/recipes/nginx/petstore.conf")
	if err != nil {
		t.Fatal(err)
	}
	nginx := programtest.NewNginx(t)
	public := nginx.Origin + "/petstore"
	w := newWorld(t, func(c *handlers.Config) { c.PublicURL, c.AdminKey, c.Workshop = public, "secret", true })
	nginx.Start(string(recipe), "shop.example", "http://127.0.0.1:8080", w.URL)

	p := browsertest.Open(t, public+"/#key=secret")
	p.WaitText(".live", "live")
	w.Get(t, "/pets?name=through-nginx")
	p.WaitText("main", "through-nginx") // it came as an event
	p.Open(public + "/docs/#/Health/getHealth")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	p.WaitText(".request-url", public+"/healthz")
	p.Open(public + "/join")
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.WaitText(".address", public+"/sandboxes/ada")
}
