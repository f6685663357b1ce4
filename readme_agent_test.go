package main

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestAgentConfiguration starts the pet store with the configurations for coding agents in the README and the recipe.
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
	for _, config := range agentConfigurations.FindAllString(textOf(t, recipes+"/agents.md"), -1) {
		startAgent(t, config)
	}
}

// agentConfigurations matches the configurations that start the program.
var agentConfigurations = regexp.MustCompile(`\{.*"command".*\}`)

// startAgent starts the server of a configuration and pings it.
func startAgent(t *testing.T, text string) {
	t.Helper()
	type server struct {
		Command string
		Args    []string
	}
	var config map[string]map[string]server // by the agent's own name for servers
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	var agent server
	for _, servers := range config {
		agent = servers["petstore"]
	}
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
