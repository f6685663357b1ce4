package mcp_test

import (
	"fmt"
	"testing"
)

// TestResources checks that every listed resource equals the service's document for the sandbox of
// the address.
func TestResources(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	ada := shop.connect(t, "/sandboxes/ada/mcp")
	type document struct{ URI, Name, Title, MIMEType, Description, Text string }
	list := decode[struct{ Resources []document }](t, string(ada.send(t, "resources/list", `{}`).Result)).Resources
	if len(list) != 5 {
		t.Errorf("there are %d resources: %v", len(list), list)
	}
	for _, r := range list {
		_, want := shop.do(t, "GET", "/sandboxes/ada/"+r.Name, "")
		got := decode[struct{ Contents []document }](t, string(ada.send(t, "resources/read", fmt.Sprintf(`{"uri": %q}`, r.URI)).Result))
		if len(got.Contents) != 1 || got.Contents[0] != (document{URI: r.URI, MIMEType: r.MIMEType, Text: string(want)}) {
			t.Errorf("%s is %v, want %s", r.URI, got, want)
		}
		if r.Title == "" || r.Description == "" || r.MIMEType == "" {
			t.Errorf("a host shows %+v", r)
		}
	}
	if got := string(ada.send(t, "resources/templates/list", `{}`).Result); decode[map[string]any](t, got)["resourceTemplates"] == nil {
		t.Errorf("the templates are %s", got)
	}
}
