# Tests the tools for coding agents with the official inspector and the official Go SDK of the Model Context Protocol. To be
# sourced, from the top of the checkout, after contract.sh.

# inspect runs the inspector once, on the address or the command that is its first argument.
inspect() { MCP_CATALOG_PATH=$mcp_catalog mcp-inspector --cli "$@"; }

# inspect_schemas fails if a tool has a schema that some clients cannot read.
inspect_schemas() { MCP_CATALOG_PATH=$mcp_catalog mcp-inspector --cli "$@" --method tools/list --strict >/dev/null; }

# result prints the result of a tool as one line of JSON.
result() { node -e 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).structuredContent))'; }

# text_of prints the text of a resource.
text_of() { node -e 'console.log(JSON.parse(require("fs").readFileSync(0, "utf8")).contents[0].text)'; }

# inspect_mcp lists the tools, calls some, one of which fails, and reads documents, over HTTP and on standard input and
# output. The SDK's client does the same, in each version of the protocol.
inspect_mcp() {
	local mcp_catalog over_http over_stdio world
	mcp_catalog=$work/inspector.json
	start_petstore
	inspect_schemas "$petstore_url/mcp"
	inspect_schemas "$petstore" --mcp

	over_http=$(inspect "$petstore_url/mcp" --method tools/list)
	over_stdio=$(inspect "$petstore" --mcp --method tools/list)
	[[ $over_http == "$over_stdio" && $over_http == *'"add_fault"'* ]] || fail_mcp "the tools differ: $over_http $over_stdio"

	inspect "$petstore_url/mcp" --method tools/call --tool-name create_sandbox --tool-arg name=ada >/dev/null
	inspect "$petstore_url/mcp" --method tools/call --tool-name set_clock --tool-arg now=2031-01-01T00:00:00Z frozen=true sandbox=ada >/dev/null
	[[ $(curl -fsS -H 'X-Sandbox: ada' "$petstore_url/admin/clock") == *'"frozen":true'* ]] || fail_mcp 'the clock was not set over HTTP'
	[[ $(inspect "$petstore" --mcp --method tools/call --tool-name list_records --tool-arg collection=pets id=7 | result) == \
		"$(curl -fsS "$petstore_url/pets?id=7" | sed 's/^\[//; s/\]$//')" ]] || fail_mcp 'a pet differs on standard input and output'
	world=$(inspect "$petstore_url/mcp" --method tools/call --tool-name export_world --tool-arg sandbox=ada | result)
	inspect "$petstore_url/mcp" --method tools/call --tool-name import_world --tool-arg "world=$world" >/dev/null
	[[ $(curl -fsS "$petstore_url/admin/clock") == *'"frozen":true'* ]] || fail_mcp 'the clock of the world was not imported'
	[[ $(inspect "$petstore" --mcp --method resources/list) == *'"petstore:///admin/openapi.yaml"'* ]] || fail_mcp 'a document is not listed'
	[[ $(inspect "$petstore_url/mcp" --method resources/read --uri petstore:///openapi.json | text_of) == \
		"$(curl -fsS "$petstore_url/openapi.json")" ]] || fail_mcp 'a document differs from that of the service'
	if inspect "$petstore_url/mcp" --method tools/call --tool-name reset --tool-arg 'only=["nothing"]' >/dev/null; then
		fail_mcp 'a tool that fails is told as one that has not'
	fi
	(
		cd .ci/mcp
		go vet .
		PETSTORE=$petstore PETSTORE_URL=$petstore_url go test -count 1 .
	)
	stop_petstore
}

fail_mcp() {
	printf '%s\n' "$1" >&2
	return 1
}
