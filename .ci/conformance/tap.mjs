// Prism cannot pass on malformed requests: it parses and re-encodes JSON bodies and queries, and responds to malformed
// ones itself. So bad requests bypass it: Prism gets a valid request for the same operation, and this tap, which is its
// upstream, sends the real bytes to the service instead. Prism then checks the response.
import { randomUUID } from 'node:crypto'
import { createServer, request as send } from 'node:http'

const ticketHeader = 'x-tap-ticket'

/** Starts the tap. `smuggle` registers a real request, and returns the headers that make the tap send it. */
export async function startTap() {
  const waiting = new Map()
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    const ticket = incoming.headers[ticketHeader]
    const real = waiting.get(ticket)
    waiting.delete(ticket)
    const { hostname, port } = new URL(real.origin)
    const call = send({ hostname, port, method: real.method, path: real.target, headers: real.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    call.on('error', (error) => outgoing.destroy(error))
    call.end(real.body)
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()

  return {
    address: `http://127.0.0.1:${server.address().port}`,
    smuggle(real) {
      const ticket = randomUUID()
      waiting.set(ticket, real)
      return { headers: { [ticketHeader]: ticket }, wasSent: () => !waiting.has(ticket) }
    },
  }
}
