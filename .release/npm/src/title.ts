import { createHash } from 'node:crypto'

/** The most characters that the server accepts in the name of a sandbox, and the digits of the hash in a shortened one. */
const longest = 200, digits = 12

/**
 * Returns the text itself if the server accepts it as the name of a sandbox. Otherwise returns a unique name: control
 * characters are replaced by spaces, a long text is cut off, and twelve digits of the SHA-256 of the text follow. The
 * clients for Python, Java and Go have the same rule.
 */
export function titleOf(text: string): string {
  // Half of a surrogate pair has no form in UTF-8.
  const written = text.replace(/\p{Cs}/gu, half => `\\u${half.charCodeAt(0).toString(16)}`)
  const readable = [...written.replace(/\p{Cc}+/gu, ' ')]
  const taken = readable.length <= longest && !['*', '.', '..'].includes(text)
  if (taken && readable.join('') === text) return text
  const hash = createHash('sha256').update(written).digest('hex').slice(0, digits)
  return `${readable.slice(0, longest - digits - 1).join('')} ${hash}`
}
