// Package mcp checks that the client of the official Go SDK can use the tools of the service at $PETSTORE_URL, and of the
// program at $PETSTORE.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transports returns the transports to the tools, by name.
func transports() map[string]mcp.Transport {
	return map[string]mcp.Transport{
		"HTTP":  &mcp.StreamableClientTransport{Endpoint: os.Getenv("PETSTORE_URL") + "/mcp", MaxRetries: -1},
		"stdio": &mcp.CommandTransport{Command: exec.Command(os.Getenv("PETSTORE"), "--mcp")},
	}
}

// TestClient uses the tools in every version of the protocol.
func TestClient(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		for name, transport := range transports() {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				use(t, transport, version)
			})
		}
	}
}

func use(t *testing.T, transport mcp.Transport, version string) {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult(); got.ProtocolVersion != version || got.ServerInfo.Name != "petstore" ||
		got.Instructions == "" {
		t.Errorf("the server says of itself %+v", got)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) < 20 {
		t.Errorf("the tools are %+v, %v", list, err)
	}
	if err := session.Ping(t.Context(), nil); err != nil && version < "2026" { // later versions have no ping
		t.Errorf("a ping: %v", err)
	}

	text, wrong := call(t, session, "list_records", map[string]any{"collection": "pets", "id": 7})
	var pet struct{ ID int }
	if err := json.Unmarshal([]byte(text), &pet); err != nil || wrong || pet.ID != 7 {
		t.Errorf("the pet is %s, %v", text, err)
	}
	if text, wrong := call(t, session, "reset", map[string]any{"only": "nothing"}); !wrong {
		t.Errorf("a reset of nothing returns %s", text)
	}
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "fly"})
	if failure, ok := errors.AsType[*jsonrpc.Error](err); !ok || failure.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("a tool that does not exist: %v", err)
	}

	resources, err := session.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) == 0 {
		t.Errorf("the resources are %+v, %v", resources, err)
	}
	for _, r := range resources.Resources {
		got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 || got.Contents[0].MIMEType != r.MIMEType ||
			len(got.Contents[0].Text) < 1000 {
			t.Errorf("%s is %+v, %v", r.URI, got, err)
		}
	}
	if templates, err := session.ListResourceTemplates(t.Context(), nil); err != nil ||
		len(templates.ResourceTemplates) > 0 {
		t.Errorf("the templates are %+v, %v", templates, err)
	}
	if got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "petstore:///fly"}); err == nil {
		t.Errorf("a document that does not exist is %+v", got)
	}

	// A call that is cancelled does not hold up the next.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	begun := time.Now()
	if _, err := session.CallTool(ctx,
		&mcp.CallToolParams{Name: "wait_for_requests",
			Arguments: map[string]any{"count": 1000, "wait": "1m"}}); err == nil {
		t.Error("a cancelled call has a result")
	}
	if call(t, session, "get_status", nil); time.Since(begun) > 30*time.Second {
		t.Error("a cancelled call goes on")
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// call calls a tool, and checks that its structured result equals its text.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments any) (text string, wrong bool) {
	t.Helper()
	got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text = got.Content[0].(*mcp.TextContent).Text
	var value any
	if err := json.Unmarshal([]byte(text), &value); !got.IsError &&
		(err != nil || !reflect.DeepEqual(value, got.StructuredContent)) {
		t.Errorf("%s returns the text %s and the structure %v", tool, text, got.StructuredContent)
	}
	return text, got.IsError
}
