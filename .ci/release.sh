# Steps of .ci/run that build and test the files of a release. They need the tools of npm.

# build_release builds all files of a release, and tests the binary from the archive for this machine.
build_release() {
	.release/build
	check_sums "$work/released"
	ls -l .release/dist/*.tar.gz .release/dist/*.zip .release/dist/npm/*.tgz
	(($(ls .release/dist/petstore_*.cdx.json .release/dist/petstore_*.{tar.gz,zip} | wc -l) == 12)) || { echo 'There are not six archives and six lists of parts.'; return 1; }
	local version
	version=$(released version)
	try_archive ".release/dist/petstore_${version}_linux_$(go env GOARCH).tar.gz" "$version"
}

# check_sums checks that checksums.txt has each file that .github/workflows/release.yml puts into a release, and no other.
check_sums() {
	mkdir "$1"
	ln -s "$PWD"/.release/dist/{petstore_*.{tar.gz,zip,cdx.json},python/*.whl,maven/com/example/petstore/petstore-sandbox/*/*.{jar,pom}} "$1"
	(cd "$1" && sha256sum --check --quiet -) <.release/dist/checksums.txt
	diff <(ls "$1") <(sed 's/.*  //' .release/dist/checksums.txt | sort)
}

# released prints a field of goreleaser's metadata of the release.
released() {
	node --print 'JSON.parse(fs.readFileSync(".release/dist/metadata.json"))[process.argv[1]]' "$1"
}

# try_archive checks an archive's files, and its binary's version, size and responses.
try_archive() {
	local unpacked=$work/archive
	mkdir "$unpacked"
	tar --extract --gzip --file "$1" --directory "$unpacked"
	diff - <(cd "$unpacked" && find . -type f | sort) <<-'END'
		./CHANGELOG.md
		./LICENSE
		./README.md
		./completions/petstore.bash
		./completions/petstore.fish
		./completions/petstore.zsh
		./petstore
	END
	[[ $("$unpacked/petstore" --version) == "petstore v$2" ]] || { echo "The binary does not say that it is v$2."; return 1; }
	local size
	size=$(stat --format %s "$unpacked/petstore")
	printf 'The binary has %d bytes.\n' "$size"
	((size <= 25000000)) || { echo 'That is more than 25 MB.'; return 1; }
	(petstore=$unpacked/petstore start_petstore && curl --silent --fail "$petstore_url/pets?limit=1" && stop_petstore)
}

# build_twice builds two binaries again in another folder, and the wheels and jars with the second, and compares the bytes.
# Go's cache may be used: Go guarantees that its compiler gives the same bytes.
build_twice() {
	local again=$work/again kind=() goreleaser commit
	goreleaser=$PWD/.release/tools/goreleaser/goreleaser
	commit=$(released commit)
	[[ $(released version) != *snapshot* ]] || kind=(--snapshot)
	git clone --quiet . "$again"
	git -C "$again" checkout --quiet "$commit"
	(
		cd "$again"
		"$goreleaser" build --clean --single-target "${kind[@]}"
		mv .release/dist "$work/first"
		GOOS=windows GOARCH=arm64 "$goreleaser" build --clean --single-target "${kind[@]}"
		python3 .release/python/build.py .release/dist
		.release/java/build .release/dist
	)
	local binary
	for binary in "$work"/first/petstore_*/petstore "$again"/.release/dist/petstore_*/petstore.exe; do
		cmp "$binary" ".release/dist/$(basename "$(dirname "$binary")")/$(basename "$binary")"
		sha256sum "$binary"
	done
	local package
	for package in "$again"/.release/dist/{python/*.whl,maven/com/example/petstore/petstore-sandbox/*/*.jar}; do
		cmp "$package" "$PWD/${package#"$again/"}"
	done
}

# judge_workflows checks our own workflows, and the recipe for those of others, with actionlint.
judge_workflows() {
	go -C .release/tools/actionlint tool actionlint "$PWD"/.github/workflows/*.yml "$PWD"/testdata/recipes/github/*.yml
}

# try_npm_packages publishes the packages on this machine, installs them from there, and tests them on the oldest Node.js
# that they support and on the newest one.
try_npm_packages() {
	# The npm of Debian 12 fails on the override that verdaccio needs.
	npx --yes npm@11.19.1 ci --prefix .ci/registry --no-progress
	local oldest=("$PWD"/.ci/registry/node_modules/node-linux-*/bin/node)
	NPM_SCOPE=shop node .release/npm/build.mjs .release/dist "$work/npm"
	node .ci/registry/main.mjs "$work/npm" .ci/node_modules/.bin/tsc "${oldest[0]}" "$(command -v node)"
}

install_container_tools() {
	local missing=() package
	for package in buildah podman runc docker-compose curl; do
		[[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
	done
	install_packages "${missing[@]}"
}

# in_store runs buildah or podman with a store that is deleted with the directory of this run.
in_store() {
	"$1" --storage-driver vfs --root "$work/images" --runroot "$work/containers" "${@:2}"
}

# podman_here runs podman on machines that limit even root: runc supports their old cgroups, and no limit is raised.
podman_here() {
	in_store podman --cgroup-manager cgroupfs --runtime runc "$@"
}

# try_image builds the image and runs it with a read-only file system and its own health check, but without a network.
try_image() {
	in_store buildah build --quiet --isolation chroot --build-arg "TARGETARCH=$(go env GOARCH)" --format docker --tag petstore-sandbox .
	in_store buildah images petstore-sandbox
	in_store buildah inspect --type image --format '{{.Docker.Config.Healthcheck}}' petstore-sandbox | grep --fixed-strings '/petstore --wait-ready'
	docker-compose --file testdata/recipes/container/compose.yaml config --quiet
	local limits=(--read-only --cap-drop all --security-opt no-new-privileges --network none --ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
	if ! podman_here run --rm "${limits[@]}" petstore-sandbox --version; then
		echo 'This machine runs no container by podman. The image is tried in a chroot instead, by its user: its file system is not read-only there.'
		try_image_in_chroot
		return
	fi
	local begun pid
	begun=$(date +%s%N)
	podman_here run --detach --timeout 300 --name shop "${limits[@]}" petstore-sandbox --pets 500 >/dev/null
	podman_here healthcheck run shop
	printf 'Healthy %d ms after its start was asked for.\n' $((($(date +%s%N) - begun) / 1000000))
	pid=$(podman_here inspect --format '{{.State.Pid}}' shop)
	grep '^Uid:.65532.65532' "/proc/$pid/status"
	nsenter --net --target "$pid" curl --silent --fail --head 'http://127.0.0.1:8080/pets' | grep -i '^X-Total-Count: 500'
	podman_here stop --time 20 shop >/dev/null
	[[ $(podman_here inspect --format '{{.State.ExitCode}}' shop) == 0 ]] || { podman_here logs shop; return 1; }
	podman_here rm shop >/dev/null
}

try_image_in_chroot() {
	local container root pid begun
	container=$(in_store buildah from petstore-sandbox)
	root=$(in_store buildah mount "$container")
	begun=$(date +%s%N)
	chroot --userspec 65532:65532 "$root" /petstore --addr 127.0.0.1:0 --pets 500 >"$work/announced" 2>/dev/null &
	pid=$!
	until [[ -s $work/announced ]]; do kill -0 "$pid"; done
	chroot --userspec 65532:65532 "$root" /petstore --wait-ready "$(sed 's/petstore listening on //' "$work/announced")"
	printf 'Healthy %d ms after its start was asked for.\n' $((($(date +%s%N) - begun) / 1000000))
	grep '^Uid:.65532.65532' "/proc/$pid/status"
	kill "$pid"
	wait "$pid"
}
