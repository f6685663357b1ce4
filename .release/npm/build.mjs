// Packs the npm packages of the binaries that goreleaser has built: one for each platform, and petstore-sandbox, which
// chooses among them. It needs the tools of .ci/package.json.
//
//     node .release/npm/build.mjs DIST [OUT]
//
// DIST is goreleaser's directory; the tarballs are in its directory npm afterwards, or in OUT. The variable NPM_SCOPE is the
// scope at npm that they are published under, such as owner for @owner/petstore-sandbox. Packages without a scope are to be
// installed by path. They do not depend on each other by name, because npm would install a stranger's package of that name.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const top = resolve(here, '../..')
const tools = join(top, '.ci/node_modules/.bin')
const dist = resolve(process.argv[2])
const out = resolve(process.argv[3] ?? join(dist, 'npm'))
const scope = process.env.NPM_SCOPE ? `@${process.env.NPM_SCOPE.replace(/^@/, '')}/` : ''

/** Node.js's names for systems and architectures, by Go's. */
const platforms = { linux: 'linux', darwin: 'darwin', windows: 'win32' }
const architectures = { amd64: 'x64', arm64: 'arm64' }

function json(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function run(command, ...args) {
  execFileSync(command, args, { cwd: top, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Writes the description of a package, and packs its directory. */
function pack(directory, description) {
  copyFileSync(join(top, 'LICENSE'), join(directory, 'LICENSE'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify(description, null, 2) + '\n')
  run('npm', 'pack', '--silent', '--pack-destination', out, directory)
  console.log(`${description.name}@${description.version}`)
}

function packBinary(binary, version, common) {
  const os = platforms[binary.goos], cpu = architectures[binary.goarch]
  const name = `${scope}petstore-sandbox-${os}-${cpu}`
  const directory = join(out, name), file = `petstore${binary.extra.Ext}`
  mkdirSync(join(directory, 'bin'), { recursive: true })
  copyFileSync(join(top, binary.path), join(directory, 'bin', file))
  chmodSync(join(directory, 'bin', file), 0o755)
  writeFileSync(join(directory, 'README.md'), `The binary of petstore-sandbox for ${os} on ${cpu}.\n`)
  pack(directory, { // without engines: if those do not match, npm silently leaves out an optional package
    name, version, description: `The binary of petstore-sandbox for ${os} on ${cpu}`,
    ...common, os: [os], cpu: [cpu], files: ['bin'], preferUnplugged: true,
  })
  return name
}

/** Compiles the package, with the types of the binary that runs here. */
function compile(binaries) {
  const mine = binaries.find(({ goos, goarch }) => platforms[goos] === process.platform && architectures[goarch] === process.arch)
  if (!mine) throw new Error(`none of the binaries in ${dist} runs on this machine, which the types are made with`)
  run(process.execPath, join(here, 'types.mjs'), join(top, mine.path), join(here, 'src'), join(tools, 'openapi-typescript'))
  const lib = join(here, 'petstore-sandbox/lib')
  rmSync(lib, { recursive: true, force: true })
  run(join(tools, 'tsc'), '--project', here)
}

/** The repository, which npm compares with that of the workflow that publishes the packages. */
const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: name } = process.env
const repository = name ? { repository: { type: 'git', url: `git+${host}/${name}.git` } } : {}

const { version } = json(join(dist, 'metadata.json'))
const binaries = json(join(dist, 'artifacts.json')).filter(({ type }) => type === 'Binary')
const template = json(join(here, 'petstore-sandbox/package.json'))
rmSync(out, { recursive: true, force: true })
compile(binaries)
const names = binaries.map(binary => packBinary(binary, version, { license: template.license, ...repository }))
const directory = join(out, scope, template.name)
cpSync(join(here, template.name), directory, { recursive: true })
const readme = join(directory, 'README.md')
const text = readFileSync(readme, 'utf8')
writeFileSync(readme, scope ? text.replaceAll('@OWNER/', scope) : text.replaceAll(/('|npx )@OWNER\//g, '$1'))
const fetched = scope ? { optionalDependencies: Object.fromEntries(names.sort().map(name => [name, version])) } : {}
pack(directory, { ...template, name: scope + template.name, version, ...repository, binaries: names.sort(), ...fetched })
