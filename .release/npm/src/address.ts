// Which addresses belong to a sandbox, or to its control plane.

/**
 * Returns the whole address of a path of the service in the sandbox at `url`, which ends in `prefix`. A path that
 * already has the prefix comes from a Location header; what a proxy has put before the prefix is removed.
 */
export function addressIn(url: string, prefix: string, given: string): string {
  const address = /^https?:\/\//i.test(given) ? given : url + pathIn(url, prefix, given)
  if (isBelow(url, address)) return address
  throw new TypeError(`fetch() takes a path, or an address that begins with ${url}, not ${given}`)
}

function pathIn(url: string, prefix: string, path: string): string {
  if (!path.startsWith('/')) throw new TypeError(`fetch() takes a path that begins with a slash, not ${JSON.stringify(path)}`)
  const start = prefix || new URL(url).pathname.replace(/\/$/, '')
  const at = (path.replace(/[?#].*/s, '') + '/').indexOf(start + '/')
  return at < 0 ? path : path.slice(at + start.length)
}

/** Reports whether an address is at or below another one, after ".." in it has been resolved, as clients do before they send it. */
export function isBelow(base: string, address: string): boolean {
  const [from, to] = [base, address].map(one => new URL(one).href)
  const start = from!.replace(/\/$/, '')
  return to!.startsWith(start) && /^($|[/?#])/.test(to!.slice(start.length))
}
