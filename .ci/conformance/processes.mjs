// Starts the programs of a run, and ends them however the run ends.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const children = new Set()
process.on('exit', () => children.forEach((child) => child.kill()))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const patienceMs = 60_000

/** Starts a program, and returns the address that it announces on a line matching `announcement`. */
function start(command, args, announcement) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (why) => reject(new Error(`${command} ${args.join(' ')}: ${why}\n${output}`))
    const timer = setTimeout(() => fail('announced no address'), patienceMs)
    const listen = (chunk) => {
      output = (output + chunk).slice(-10_000)
      const [, address] = output.match(announcement) ?? []
      if (address) {
        clearTimeout(timer)
        resolve(address)
      }
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code) => {
      children.delete(child)
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
  })
}

export function startPetstore(binary, ...flags) {
  return start(binary, ['--addr', '127.0.0.1:0', ...flags], /^petstore listening on (\S+)$/m)
}

/** Starts a Prism as a proxy of the service at `upstream`. */
export function startPrism(document, upstream, ...flags) {
  return prism('proxy', document, upstream, ...flags)
}

/** Starts a Prism that mocks the document. */
export function startMock(document) {
  return prism('mock', document, '--errors')
}

function prism(...args) {
  const script = fileURLToPath(new URL('../node_modules/.bin/prism', import.meta.url))
  return start(process.execPath, [script, ...args, '--host', '127.0.0.1', '--port', '0'], /Prism is listening on (http:\/\/\S+)/)
}
