// The client of openapi-fetch, an optional package. Where it is not installed, the types here are any, which @ts-ignore
// allows: its place makes it a part of the declarations.
import type { paths } from './api.js'

/**
 * A client of openapi-fetch for the operations of the service.
 * @ts-ignore */
export type Client = import('openapi-fetch').Client<paths>

/**
 * Options of that, such as `headers`.
 * @ts-ignore */
export type ClientOptions = import('openapi-fetch').ClientOptions

/** Returns a client for the sandbox at the address. */
export function clientFor(url: string, options: ClientOptions): Client {
  return openapiFetch().default<paths>({ baseUrl: url, ...options })
}

/** @internal */
function openapiFetch(): typeof import('openapi-fetch') {
  try {
    return require('openapi-fetch')
  } catch (error) {
    throw new Error('client() needs the package openapi-fetch; run npm install --save-dev openapi-fetch', { cause: error })
  }
}
