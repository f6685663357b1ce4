// Checks the running service against its documents by Prism, an independent implementation of OpenAPI.
//
//     node .ci/conformance/main.mjs BINARY
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { badAdminInput } from './admin_bad.mjs'
import { goodAdminInput } from './admin_good.mjs'
import { badInput } from './bad.mjs'
import { describeCommonHeaders, readDocument } from './document.mjs'
import { goodInput } from './good.mjs'
import { Judge } from './judge.mjs'
import { adminLimits, serviceLimits } from './limits.mjs'
import { startPetstore, startPrism } from './processes.mjs'
import { inEverySandbox, sandboxes } from './sandboxes.mjs'
import { serviceStream } from './streams.mjs'
import { startTap } from './tap.mjs'
import { workshop } from './workshop.mjs'

const [binary] = process.argv.slice(2)
const services = {
  origin: await startPetstore(binary),
  // Requires keys, is strict, and is past the sunset of getPet.
  guarded: await startPetstore(binary, '--strict', '--api-key=conformance', '--admin-key=conformance-admin', '--enforce-sunset',
    '--deprecated-since=2020-01-01', '--sunset=2021-01-01'),
  // Has room for no second sandbox, and for only one more record.
  full: await startPetstore(binary, '--max-sandboxes=1', '--max-records=1'),
  // Creates sandboxes only on explicit request.
  explicit: await startPetstore(binary, '--explicit-sandboxes'),
  // Accepts one request a second.
  limited: await startPetstore(binary, '--rate-limit=1'),
  // Runs a workshop.
  workshop: await startPetstore(binary, '--workshop'),
}

async function conforms(name, ...drives) {
  console.log(`\n${name}`)
  const { document } = await readDocument(name)
  describeCommonHeaders(document)
  const file = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'document.json')
  await writeFile(file, JSON.stringify(document))
  const tap = await startTap()
  const judge = new Judge(document, {
    strict: await startPrism(file, services.origin, '--errors'),
    // The same service at another address: the prefix is a part of the server's URL, not of the document's paths.
    prefixed: await startPrism(file, `${services.origin}/sandboxes/by-prefix`, '--errors'),
    // With --errors, Prism would itself respond to a request without a key; without it, it reports violations in a header.
    lenient: await startPrism(file, tap.address, '--validate-request=false'),
    tap,
  })
  for (const drive of drives) await judge.hear(drive, services)
  return judge.report()
}

const service = await conforms('openapi.yaml', inEverySandbox(goodInput), serviceStream, sandboxes, badInput, serviceLimits)
const admin = await conforms('admin.yaml', inEverySandbox(goodAdminInput), workshop, badAdminInput, adminLimits)
process.exit(service && admin ? 0 : 1)
