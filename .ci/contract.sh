# Steps of .ci/run that check the built binary against its documents, with other people's tools.

petstore=$work/petstore
petstore_pid=
# Redocly must not send telemetry.
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

# install_npm_tools puts the pinned tools first in PATH, with the Node.js that Prism needs among them.
install_npm_tools() {
	npm ci --prefix .ci --no-progress
	# The npm of Debian 12 does not link the binary of an optional package.
	local newer_node=("$PWD"/.ci/node_modules/node-linux-*/bin)
	PATH=${newer_node[0]}:$PWD/.ci/node_modules/.bin:$PATH
	node --version
}

build_petstore() {
	go build -o "$petstore" .
}

# start_petstore starts the binary on a free port and sets petstore_url.
start_petstore() {
	local announcement line
	exec {announcement}< <(exec "$petstore" --addr 127.0.0.1:0 2>"$work/petstore.log")
	petstore_pid=$!
	read -r -t 30 line <&"$announcement" || { cat "$work/petstore.log"; return 1; }
	petstore_url=${line#petstore listening on }
}

stop_petstore() {
	[[ -z $petstore_pid ]] || kill "$petstore_pid" 2>/dev/null || true
	petstore_pid=
}

# lint checks documents by the rules of Spectral and of Redocly. A warning is a failure.
lint() {
	local document
	for document in "$@"; do
		spectral lint --ruleset .ci/spectral.yaml --fail-severity hint "$document"
		redocly lint --config .ci/redocly.yaml "$document"
	done
}

lint_served() {
	start_petstore
	local document
	for document in openapi.json openapi.yaml admin/openapi.json; do
		mkdir -p "$work/served/$(dirname "$document")"
		curl --silent --show-error --fail --output "$work/served/$document" "$petstore_url/$document"
		lint "$work/served/$document"
	done
	stop_petstore
}

run_go_client() {
	start_petstore
	(
		cd .ci/clients/go
		go tool oapi-codegen -config oapi-codegen.yaml ../../../handlers/docs/openapi.yaml
		# The document describes the common headers once, which keeps this file small.
		(($(wc -l <petstore.gen.go) <= 15000))
		go vet .
		PETSTORE_URL=$petstore_url go test -count 1 -v .
	)
	stop_petstore
}

run_ogen() {
	start_petstore
	(
		cd .ci/clients/ogen
		go tool ogen --config ogen.yml --target petstore.gen --package api --clean ../../../handlers/docs/openapi.yaml
		go vet .
		PETSTORE_URL=$petstore_url go test -count 1 -v .
	)
	stop_petstore
}

# run_openapi_typescript also checks the bodies in the README by the types.
run_openapi_typescript() {
	start_petstore
	openapi-typescript handlers/docs/openapi.yaml --output .ci/clients/ts/petstore.gen.ts
	openapi-typescript handlers/docs/admin.yaml --output .ci/clients/ts/admin.gen.ts
	node .ci/clients/ts/readme.mjs >.ci/clients/ts/readme.gen.ts
	tsc --project .ci/clients/ts
	node .ci/clients/ts/client.ts "$petstore_url"
	stop_petstore
}

run_hey_api() {
	start_petstore
	openapi-ts --file .ci/clients/hey-api/openapi-ts.config.mjs --no-log-file
	tsc --project .ci/clients/hey-api
	node .ci/clients/hey-api/client.ts "$petstore_url"
	stop_petstore
}

# run_orval generates and tests the client with both versions in use: 7 and 8.
run_orval() {
	local orval
	start_petstore
	for orval in .ci/node_modules/orval7/dist/bin/orval.js .ci/node_modules/.bin/orval; do
		PETSTORE_URL=$petstore_url node "$orval" --config .ci/clients/orval/orval.config.mjs
		tsc --project .ci/clients/orval
		node .ci/clients/orval/client.ts
	done
	stop_petstore
}

run_kubb() {
	start_petstore
	(cd .ci/clients/kubb && kubb generate) # leaves files in the working directory
	tsc --project .ci/clients/kubb
	node .ci/clients/kubb/client.ts "$petstore_url"
	stop_petstore
}

run_swagger_typescript_api() {
	local here=.ci/clients/swagger-typescript-api
	start_petstore
	swagger-typescript-api generate --path handlers/docs/openapi.yaml --output $here --name petstore.gen.ts
	swagger-typescript-api generate --path handlers/docs/admin.yaml --output $here --name admin.gen.ts
	tsc --project $here
	node --experimental-transform-types $here/client.ts "$petstore_url"
	stop_petstore
}

# run_openapi_generator uses the newest version whose package contains the generator. Later ones download it when they run.
run_openapi_generator() {
	local here=.ci/clients/openapi-generator
	start_petstore
	openapi-generator generate --input-spec handlers/docs/openapi.yaml --generator-name typescript-axios --output $here/petstore.gen
	tsc --project $here
	node $here/client.gen/client.js "$petstore_url"
	stop_petstore
}

run_collections() {
	npm ci --prefix .ci/collections --no-progress
	start_petstore
	mkdir -p "$work/collections"
	node .ci/collections/main.mjs "$petstore_url" "$work/collections"
	stop_petstore
}
