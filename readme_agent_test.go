package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestAgentConfiguration starts the pet store as the README has a coding agent start it.
func TestAgentConfiguration(t *testing.T) {
	t.Parallel()
	for _, b := range readmeBlocks(t) {
		if b.language != "json" {
			continue
		}
		for _, line := range programtest.Lines(b.text) {
			startAgent(t, line)
		}
	}
}

// startAgent starts the server of a configuration, and has it answer a ping.
func startAgent(t *testing.T, text string) {
	t.Helper()
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	agent := config.MCPServers["petstore"]
	if npx := []string{"-y", "@OWNER/petstore-sandbox"}; agent.Command == "npx" && len(agent.Args) > len(npx) && slices.Equal(agent.Args[:len(npx)], npx) {
		agent.Command, agent.Args = "petstore", agent.Args[len(npx):] // the package of npm starts the program
	}
	if agent.Command != "petstore" {
		t.Fatalf("the agent starts %+v", agent)
	}
	cmd := exec.CommandContext(t.Context(), programtest.Petstore.Path(t), agent.Args...)
	cmd.Stdin = strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "ping"}` + "\n")
	output, err := cmd.Output()
	if got := strings.TrimSpace(string(output)); err != nil || got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Errorf("a ping is answered %q, %v", got, err)
	}
}
