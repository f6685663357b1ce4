import { createHash } from 'node:crypto'

/** How many characters the server takes as the name of a sandbox, and how many digits tell a shortened one from others. */
const longest = 200, digits = 12

/**
 * Returns the text itself if the server takes it as the name of a sandbox. Otherwise returns what it takes, and what is as
 * different from others: control characters are replaced by spaces, what is too long is cut off, and twelve digits of the
 * SHA-256 of the text follow. The clients for Python, Java and Go have the same rule.
 */
export function titleOf(text: string): string {
  // Half of a surrogate pair has no UTF-8.
  const written = text.replace(/\p{Cs}/gu, half => `\\u${half.charCodeAt(0).toString(16)}`)
  const readable = [...written.replace(/\p{Cc}+/gu, ' ')]
  const taken = readable.length <= longest && !['*', '.', '..'].includes(text)
  if (taken && readable.join('') === text) return text
  const hash = createHash('sha256').update(written).digest('hex').slice(0, digits)
  return `${readable.slice(0, longest - digits - 1).join('')} ${hash}`
}
