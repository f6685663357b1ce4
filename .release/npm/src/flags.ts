import type { Flags } from './flags.gen.js'

/** Flags that start() sets itself, or that make the binary do something else than serve HTTP. */
const reserved: Record<string, string> = {
  exitWithStdin: 'start() always sets it',
  mcp: 'it needs standard output; run the binary for it',
  completion: 'run the binary for it',
  help: 'run the binary for it',
  version: 'run the binary for it',
  waitReady: 'start() waits until the server is ready',
  tls: 'start() serves HTTP, since fetch cannot be told which certificate to trust; run npx petstore-sandbox --tls',
  tlsCert: 'start() serves HTTP only',
  tlsKey: 'start() serves HTTP only',
}

/** Returns the flags as arguments: `{apiKey: ['a', 'b'], strict: true}` as `--api-key=a --api-key=b --strict=true`. */
export function toArguments(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (Object.hasOwn(reserved, name)) throw new TypeError(`start() does not take ${name}: ${reserved[name]}`)
    const flag = '--' + name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase())
    return [value].flat().map(one => `${flag}=${one}`)
  })
}
