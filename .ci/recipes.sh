# Steps of .ci/run that run the recipes of testdata/recipes as their users would: copied out of this working tree, with
# the binary and the packages that release.sh has built.

# install_recipe_tools gets Debian's packages that are missing.
install_recipe_tools() {
	local missing=() package
	for package in python3-venv python3-pytest python3-pytest-xdist python3-requests mypy default-jdk-headless junit5 \
		maven libsurefire-java libmaven-compiler-plugin-java libmaven-resources-plugin-java libjackson2-databind-java \
		gradle groovy rsync; do
		[[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
	done
	install_packages "${missing[@]}"
}

# copy_recipe copies a recipe to a new directory, and sets recipe to it and PETSTORE_BINARY to the binary of the release.
copy_recipe() {
	local released=("$PWD/.release/dist/petstore_$(go env GOOS)_$(go env GOARCH)"_*/petstore)
	export PETSTORE_BINARY=${released[0]}
	recipe=$work/recipes/$1
	rm -rf "$recipe"
	mkdir -p "$work/recipes"
	cp -R "testdata/recipes/$1" "$recipe"
}

# add_copied_tests writes tests into the recipe, as the dashboard copies them from requests. The arguments are the file
# and its destination.
add_copied_tests() {
	local copied=$work/copied
	[[ -d $copied ]] || node .ci/pages/copied.mjs "$PETSTORE_BINARY" "$copied"
	cp "$copied/$1" "$recipe/$2"
}

# try_python_packages installs the wheels of the release in a new environment, and tests them in an empty folder.
try_python_packages() {
	local tests=$work/python-tests
	/usr/bin/python3 -m venv --system-site-packages "$work/python"
	"$work/python/bin/pip" install --quiet --no-index --find-links .release/dist/python 'petstore-sandbox[binary]'
	cp -R .release/python/test "$tests"
	cp testdata/clients/cases.json "$tests"
	(
		cd "$tests"
		"$work/python/bin/python" -m pytest --quiet --numprocesses 2
		# Newer versions of mypy need no flag for Unpack of a TypedDict.
		"$work/python/bin/python" -m mypy --strict --enable-incomplete-feature=Unpack typed.py
		npx --yes pyright@1.1.414 --pythonpath "$work/python/bin/python" typed.py
	)
}

# run_python_recipe runs the recipe in one process, in several with a server each, in several with a shared server, and
# without pytest.
run_python_recipe() {
	copy_recipe python
	add_copied_tests test_copied.py .
	(
		unset PETSTORE_BINARY
		cd "$recipe"
		"$work/python/bin/python" -m pytest --quiet
		"$work/python/bin/python" -m pytest --quiet --numprocesses 2
		"$work/python/bin/python" -m pytest --quiet --numprocesses 2 --petstore-shared
		"$work/python/bin/python" -m unittest
	)
}

# try_java_packages tests the jars of the release in an empty folder, with JUnit and no other library, on 32 threads.
try_java_packages() {
	local tests=$work/java-tests jars
	local released=("$PWD"/.release/dist/maven/com/example/petstore/petstore-sandbox/*/petstore-sandbox-*"-linux-$(go env GOARCH).jar")
	jars=$(printf '%s:' "${released[0]%-linux-*}.jar" "${released[0]}" \
		/usr/share/java/{junit-jupiter-{api,engine,params},junit-platform-{commons,engine,launcher,console,reporting},opentest4j,apiguardian-api,picocli}.jar)
	cp -R .release/java/test "$tests"
	cp testdata/clients/cases.json "$tests"
	(
		unset PETSTORE_BINARY
		cd "$tests"
		javac -Xlint:all,-serial,-path,-classfile -Werror -cp "$jars" -d classes com/example/petstore/*.java
		java -cp "${jars}classes:." org.junit.platform.console.ConsoleLauncher \
			--scan-classpath classes --fail-if-no-tests --disable-banner --disable-ansi-colors
	)
}

# run_java_recipe runs 200 tests on 32 threads, those of ParallelTest.java, by Maven and by Gradle without a network. Their
# repository is Debian's, with the release added.
run_java_recipe() {
	copy_recipe java
	add_copied_tests CopiedTest.java src/test/java
	local repository=$work/maven version init=$PWD/.ci/junit.gradle
	cp -R --symbolic-link /usr/share/maven-repo "$repository"
	cp -R .release/dist/maven/. "$repository"
	version=$(basename "$repository"/com/example/petstore/petstore-sandbox/*)
	(
		unset PETSTORE_BINARY
		cd "$recipe"
		sed -i "s/linux-amd64/linux-$(go env GOARCH)/; s/VERSION/$version/" pom.xml build.gradle
		mvn --offline --batch-mode --no-transfer-progress -Dmaven.repo.local="$repository" \
			-Dpetstore.version="$version" -Dsurefire.version=2.22.3 test
		gradle --offline --no-daemon --gradle-user-home "$work/gradle" -Dmaven.repo.local="$repository" --init-script "$init" test
	)
}

# run_go_recipe uses this working tree, where the module has been built, instead of a clone beside the recipe.
run_go_recipe() {
	copy_recipe go
	add_copied_tests copied_test.go .
	local petstore_module=$PWD
	cp go.sum "$recipe"
	(
		cd "$recipe"
		export GOWORK=off GOFLAGS=-mod=mod
		go mod edit -replace "example.com/petstore=$petstore_module"
		go vet .
		go test -count 1 -v .
	)
}

# install_npm_packages installs the packed packages, with these arguments of npm.
install_npm_packages() {
	local platform
	platform=$(node --print '`${process.platform}-${process.arch}`')
	PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --no-progress "$@" "$tarballs"/petstore-sandbox-{[0-9],"$platform"-[0-9]}*.tgz
}

# run_javascript_recipe uses the packed packages, which contain the binary. Each test runner also runs on the oldest
# Node.js, with the newest vitest and Vite that support it.
run_javascript_recipe() {
	copy_recipe javascript
	add_copied_tests copied.test.ts vitest
	add_copied_tests copied.spec.ts playwright
	local tarballs=$PWD/.release/dist/npm
	local oldest=("$PWD"/.ci/registry/node_modules/node-linux-*/bin/node)
	(
		unset PETSTORE_BINARY
		cd "$recipe"
		install_npm_packages --no-save
		npx tsc
		node --test --test-timeout 120000 node-test/*.test.js vite/*.test.js
		npx vitest run vitest --test-timeout 120000
		npx playwright test
		node --experimental-vm-modules node_modules/jest/bin/jest.js
		install_npm_packages --no-save vitest@4.1.12 vite@6.4.6
		"${oldest[0]}" --test --test-timeout 120000 node-test/shop.test.js vite/*.test.js
		"${oldest[0]}" node_modules/vitest/vitest.mjs run vitest --test-timeout 120000
		"${oldest[0]}" --experimental-vm-modules node_modules/jest/bin/jest.js
		"${oldest[0]}" node_modules/@playwright/test/cli.js test api
	)
}

# run_ci_recipes runs the commands of the recipes for CI with the packed packages, in an empty project: those of GitHub as they
# are, those of GitLab by gitlab-ci-local, and the Jenkinsfile by Groovy. A container's program runs without the container.
run_ci_recipes() {
	copy_recipe jenkins
	local tarballs=$PWD/.release/dist/npm top=$PWD commands
	commands=$(cd .ci && node --print 'require("yaml").parse(fs.readFileSync("../testdata/recipes/github/npm.yml", "utf8")).jobs.tests.steps.flatMap(({ run = [] }) => run).join("\n")')
	cp .ci/hosted/{package.json,shop.test.js} "$recipe"
	cp testdata/recipes/gitlab/tests.yml "$recipe/.gitlab-ci.yml"
	(
		cd "$recipe"
		install_npm_packages --save-dev
		printf '%s\n' node_modules failed .gitlab-ci-local >.gitignore
		git init --quiet
		git add .
		git -c user.name=ci -c user.email=ci@localhost commit --quiet --message 'The project'
		env -u PETSTORE_BINARY bash -e -x -c "$commands"
		WANTED_PETS=500 groovy "$top/.ci/hosted/steps.groovy" Jenkinsfile
		trap stop_petstore EXIT
		petstore=$PETSTORE_BINARY PETSTORE_PETS=500 PETSTORE_ADMIN_KEY=key start_petstore
		gitlab-ci-local --force-shell-executor --no-shell-isolation tests \
			--variable WANTED_PETS=500 --variable PETSTORE_ADMIN_KEY=key --variable "PETSTORE_URL=$petstore_url"
	)
}

# check_manifests reads the manifests for Kubernetes strictly.
check_manifests() {
	(
		cd .ci/kubernetes
		GOWORK=off go test -count 1 -v .
	)
}
