# Steps of .ci/run about what a release is made of. They need the tools of npm.

build_release() {
	.release/build this
	local version
	version=$(node --print 'JSON.parse(fs.readFileSync(".release/dist/metadata.json")).version')
	[[ $(.release/dist/petstore_linux_*/petstore --version) == "petstore v$version" ]] || { echo "The binary does not say that it is v$version"; return 1; }
}

# try_npm_packages publishes the packages on this machine, installs them from there, and tests them by the oldest Node.js
# that they are for and by the newest one.
try_npm_packages() {
	npm ci --prefix .ci/registry --no-progress
	local oldest=("$PWD"/.ci/registry/node_modules/node-linux-*/bin/node)
	node .ci/registry/main.mjs .release/dist/npm .ci/node_modules/.bin/tsc "${oldest[0]}" "$(command -v node)"
}
