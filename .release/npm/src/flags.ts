import { randomBytes } from 'node:crypto'
import { reserved, secret, type Flags } from './settings.js'

const dashed = (name: string) => name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase())

/** Returns the flags, but for keys, as arguments: `{corsOrigin: ['a', 'b'], strict: true}` as `--cors-origin=a --cors-origin=b --strict=true`. */
export function toArguments(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value == null || secret.includes(name)) return []
    if (Object.hasOwn(reserved, name)) throw new TypeError(`start() does not take ${name}: ${reserved[name]}`)
    return [value].flat().map(one => `--${dashed(name)}=${one}`)
  })
}

/** Returns the keys among the flags as variables: `{apiKey: ['a', 'b']}` as `{PETSTORE_API_KEY: 'a,b'}`. */
export function toEnvironment(flags: Flags): Record<string, string> {
  const given = Object.entries(flags).filter(([name, value]) => secret.includes(name) && value != null)
  return Object.fromEntries(given.map(([name, value]) => {
    const keys = [value].flat().map(String)
    if (name === 'apiKey' && keys.some(key => key.includes(','))) throw new TypeError('start() takes no apiKey with a comma in it')
    return ['PETSTORE_' + dashed(name).replaceAll('-', '_').toUpperCase(), keys.join(',')]
  }))
}

/**
 * Returns the key for the control plane of a server that is started with these flags, or undefined if it requires none. A
 * server that other machines can reach would make a key and print it only in its log, so one is made here.
 */
export function adminKeyOf(flags: Flags): string | undefined {
  const key = flags.adminKey ?? process.env.PETSTORE_ADMIN_KEY
  const publicUrl = flags.publicUrl ?? process.env.PETSTORE_PUBLIC_URL
  const wanted = publicUrl || !/^(localhost|127(\.\d+){3}|\[::1\]):/.test(flags.addr ?? '127.0.0.1:0')
  return key || (wanted ? randomBytes(16).toString('hex') : undefined)
}
