// Made from the table in handlers/config by go test ./handlers/config -update.

/** The flags of the program, as --help has them. */
export interface Flags {
  /** address to listen on; port 0 picks a free one (default "127.0.0.1:8080") */
  addr?: string | undefined
  /** address that users see when a proxy stands before the server, path prefix included, such as https://shop.example/petstore */
  publicUrl?: string | undefined
  /** CIDR such as 10.0.0.0/8, or address, of proxies whose X-Forwarded-For or Forwarded names the client; an array for several */
  trustedProxy?: string | string[] | undefined
  /** name of this server among several, sent as X-Petstore-Replica with every response */
  replica?: string | undefined
  /** with --replica NAME, behind a balancer: have only sandboxes whose names end in .NAME, and create them only on explicit request; there is no default one */
  sharded?: boolean | undefined
  /** number that the fake data is generated from; the same seed gives the same data (default 1) */
  seed?: number | undefined
  /** number of fake pets; at most 10,000,000 records in all (default 100) */
  pets?: number | undefined
  /** number of fake categories; at most 10,000,000 records in all (default 8) */
  categories?: number | undefined
  /** number of fake orders; at most 10,000,000 records in all (default 50) */
  orders?: number | undefined
  /** JSON or YAML file with the data to serve instead of fake data */
  fixtures?: string | undefined
  /** JSON file with a whole sandbox, as GET /admin/world returns it, to start with */
  world?: string | undefined
  /** file that keeps all sandboxes: read at the start if it is there, and written at the end and in each minute with a change; it wins over the initial data */
  keep?: string | undefined
  /** key that every request to the service must send; an array for several */
  apiKey?: string | string[] | undefined
  /** key that every request to the control plane must send */
  adminKey?: string | undefined
  /** origin whose pages may use the control plane, in addition to loopback ones; an array for several */
  adminOrigin?: string | string[] | undefined
  /** host name that the control plane accepts, in addition to loopback ones; an array for several */
  allowedHost?: string | string[] | undefined
  /** run a workshop: attendees get a sandbox each at /join, and no other request creates one; idle ones stay a day unless --sandbox-ttl is given */
  workshop?: boolean | undefined
  /** origin whose pages may use the service, instead of any; an array for several */
  corsOrigin?: string | string[] | undefined
  /** host name or address that webhooks may send to, in addition to loopback ones; an array for several */
  webhookHost?: string | string[] | undefined
  /** refuse unknown fields and query parameters */
  strict?: boolean | undefined
  /** date since which getPet is deprecated (default 2026-01-01) */
  deprecatedSince?: string | undefined
  /** date on which getPet is removed (default 2030-12-31) */
  sunset?: string | undefined
  /** return 410 from the sunset on */
  enforceSunset?: boolean | undefined
  /** time by which every response of the service is delayed: 200ms, or 200ms..800ms for an even spread */
  latency?: string | undefined
  /** share of requests to the service, from 0 to 1, that get a 503 */
  errorRate?: number | undefined
  /** number of requests a second that each client address may make to a sandbox, such as 10 or 0.5; 0 for no limit; behind a proxy all clients are one without --trusted-proxy */
  rateLimit?: number | undefined
  /** maximum number of sandboxes, including the default one (default 10000) */
  maxSandboxes?: number | undefined
  /** create sandboxes only by POST /admin/sandboxes, PUT /admin/sandboxes/NAME, a fork or PUT /admin/world; any other request to one that does not exist is a 404 */
  explicitSandboxes?: boolean | undefined
  /** time after which an idle sandbox is dropped; the default one never is (default 1h0m0s) */
  sandboxTtl?: string | undefined
  /** memory that a sandbox may use beyond the initial data, such as 64MiB or 64MB (bytes, or KiB, MiB, GiB of 1024, or KB, MB, GB of 1000) (default 64MiB) */
  sandboxMemory?: number | string | undefined
  /** memory that the server may use, such as 256MiB or 1GB (bytes, or KiB, MiB, GiB of 1024, or KB, MB, GB of 1000); by default half of what the machine or the container has */
  maxMemory?: number | string | undefined
  /** number of records that can be added to the initial data (default 100000) */
  maxRecords?: number | undefined
  /** maximum number of connections, kept below the limit of open files in any case; where it is reached, idle ones are closed first (default 4096) */
  maxConnections?: number | undefined
  /** number of requests that each sandbox's journal keeps; 0 for no journal (default 1000) */
  journal?: number | undefined
  /** log every request; short for --log-level debug */
  verbose?: boolean | undefined
  /** format of the log on standard error: text or json (default "text") */
  logFormat?: string | undefined
  /** lowest level that is logged: debug (every request), info, warn or error (default info) */
  logLevel?: string | undefined
  /** time between SIGTERM, Ctrl-C or the end of standard input and the end, in which health returns 503 and all else works, so that a load balancer sends requests elsewhere; at most 1h */
  drain?: string | undefined
}

/** Flags that start() sets itself, or that make the binary do something else than serve HTTP. */
export const reserved: Record<string, string> = {
  tls: 'start() serves HTTP, since fetch cannot be told which certificate to trust; run npx petstore-sandbox --tls',
  tlsCert: 'start() serves HTTP only',
  tlsKey: 'start() serves HTTP only',
  exitWithStdin: 'start() always sets it',
  mcp: 'it needs standard output; run the binary for it',
  waitReady: 'start() waits until the server is ready',
  completion: 'run the binary for it',
  version: 'run the binary for it',
  help: 'run the binary for it',
}

/** Flags whose values are secret: they go by the environment, since other users of a machine can read arguments. */
export const secret = ['apiKey', 'adminKey']
