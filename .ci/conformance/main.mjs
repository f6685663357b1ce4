// Holds the running service against its documents, with Prism (somebody else's reading of OpenAPI) as the judge.
//
//     node .ci/conformance/main.mjs BINARY
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { badAdminInput, goodAdminInput } from './admin.mjs'
import { badInput } from './bad.mjs'
import { goodInput } from './good.mjs'
import { Judge } from './judge.mjs'
import { startPetstore, startPrism } from './processes.mjs'
import { startTap } from './tap.mjs'

const [binary] = process.argv.slice(2)
const guards = ['--strict', '--api-key=conformance', '--admin-key=conformance-admin', '--enforce-sunset',
  '--deprecated-since=2020-01-01', '--sunset=2021-01-01']
const origin = await startPetstore(binary)
const guarded = await startPetstore(binary, ...guards)

async function conforms(name, ...drives) {
  console.log(`\n${name}`)
  const file = fileURLToPath(new URL(`../../handlers/docs/${name}`, import.meta.url))
  const tap = await startTap()
  const judge = new Judge(parse(await readFile(file, 'utf8')), {
    strict: await startPrism(file, origin, '--errors'),
    // With --errors Prism would answer a request without a key itself; without, it notes what it finds in a header.
    lenient: await startPrism(file, tap.address, '--validate-request=false'),
    tap,
  })
  for (const drive of drives) await judge.hear(drive, origin, guarded)
  return judge.report()
}

const service = await conforms('openapi.yaml', goodInput, badInput)
const admin = await conforms('admin.yaml', goodAdminInput, badAdminInput)
process.exit(service && admin ? 0 : 1)
