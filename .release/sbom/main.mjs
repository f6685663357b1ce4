// Writes the list of a binary's components, as CycloneDX 1.6: the modules that the go command recorded in it, and the
// library of the pages, which is embedded. The same binary gives the same list.
//
//     node main.mjs VERSION BINARY FILE
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'

const [version, binary, file] = process.argv.slice(2)

function component(type, name, version, purl, sha256) {
  const made = new Models.Component(type, name, { version, purl: purl?.toString(), bomRef: purl?.toString() })
  if (sha256) made.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256)
  return made
}

/** Describes a Go module, with its hash from go.sum. */
function module({ Path: path, Version: version, Sum: sum }) {
  const cut = path.lastIndexOf('/')
  const purl = new PackageURL('golang', path.slice(0, Math.max(cut, 0)), path.slice(cut + 1), version)
  return component(Enums.ComponentType.Library, path, version, purl, sum && Buffer.from(sum.replace('h1:', ''), 'base64').toString('hex'))
}

/** Describes the library of the pages, in the version that CI compares with the embedded bytes. */
function pageLibrary() {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../.ci/package.json', import.meta.url)))
  return component(Enums.ComponentType.Library, 'htm', dependencies.htm, new PackageURL('npm', undefined, 'htm', dependencies.htm))
}

const info = JSON.parse(execFileSync('go', ['version', '-m', '-json', binary]))
const bom = new Models.Bom()
const program = component(Enums.ComponentType.Application, info.Path, version, undefined, createHash('sha256').update(readFileSync(binary)).digest('hex'))
bom.metadata.component = program
const parts = [...info.Deps.map(module), module({ Path: 'stdlib', Version: info.GoVersion.replace('go', 'v') }), pageLibrary()]
for (const part of parts) {
  bom.components.add(part)
  program.dependencies.add(part.bomRef)
}

const text = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(bom, { sortLists: true, space: 2 })
const wrong = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
if (wrong) throw new Error(`it is no CycloneDX 1.6: ${JSON.stringify(wrong)}`)
writeFileSync(file, text + '\n')
