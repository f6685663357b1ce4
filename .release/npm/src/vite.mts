import { type ServerResponse, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { Connect, Plugin, PreviewServer, ViteDevServer } from 'vite'
import type { Flags } from './settings.js'
import { type Store, start } from './index.js'

/** The flags of the server, and where the page finds it. */
export interface PetstoreOptions extends Omit<Flags, 'addr' | 'publicUrl'> {
  /** The path before all paths of the pet store: `/petstore` if it is left out. */
  path?: string
}

/**
 * Has a pet store at `/petstore` of Vite's own origin, with `vite` and `vite preview`. It starts with Vite and stops with it.
 * Its links have the address that the page sees.
 */
export function petstore({ path = '/petstore', ...flags }: PetstoreOptions = {}): Plugin {
  let store: Promise<Store> | undefined

  function serve({ httpServer, middlewares, config }: ViteDevServer | PreviewServer, https: unknown): void {
    if (!httpServer) { // in middleware mode, which vitest uses too
      if (!process.env.VITEST) config.logger.warn('petstore: there is no pet store in middleware mode, where Vite has no address')
      return
    }
    middlewares.use((incoming, outgoing, next) => {
      const [at] = incoming.originalUrl!.split('?', 1)
      if (at !== path && !at!.startsWith(path + '/')) return next()
      store!.then(({ url }) => forward(url, incoming, outgoing), next)
    })
    // Not before: when its port is taken, Vite takes another one.
    httpServer.once('listening', () => {
      const publicUrl = `${https ? 'https' : 'http'}://localhost:${(httpServer.address() as AddressInfo).port}${path}`
      store = start({ ...flags, publicUrl })
      store.then(
        // What is behind # stays in the browser. Vite prints its own addresses first.
        ({ adminKey }) => config.logger.info(`  ➜  Petstore: ${publicUrl}/#key=${adminKey}`),
        error => config.logger.error(`petstore: ${error.message}`),
      )
    })
    httpServer.once('close', stop)
  }

  async function stop(): Promise<void> {
    await (await store?.catch(() => undefined))?.stop()
  }

  return {
    name: 'petstore',
    configureServer: vite => serve(vite, vite.config.server.https),
    configurePreviewServer: vite => serve(vite, vite.config.preview.https),
    closeBundle: stop,
  }
}

/** Headers of a single connection, which HTTP/2 refuses. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding']

/** Sends a request on to the server at the address, with the path as it is, and its response back as it comes. */
function forward(url: string, incoming: Connect.IncomingMessage, outgoing: ServerResponse): void {
  const { ':authority': host, ...given } = incoming.headers
  const headers = Object.fromEntries(Object.entries({ host: host as string | undefined, ...given }).filter(([name, value]) => value && !name.startsWith(':')))
  const sent = request(url, { method: incoming.method!, path: incoming.originalUrl, headers }, received => {
    outgoing.statusCode = received.statusCode!
    for (const [name, value] of Object.entries(received.headers)) {
      if (value !== undefined && !ofConnection.includes(name)) outgoing.setHeader(name, value)
    }
    pipeline(received, outgoing, () => {})
  })
  sent.on('error', () => outgoing.destroy())
  outgoing.on('close', () => sent.destroy())
  incoming.pipe(sent)
}
