import { statSync } from 'node:fs'
import { join } from 'node:path'

const { name, version, binaries }: { name: string, version: string, binaries: string[] } = require('../package.json')

export { version }

/** The package of this platform and architecture, under Node.js's names for them. */
const wanted = `${name}-${process.platform}-${process.arch}`

/**
 * Returns the path of the petstore binary for this machine: the value of the environment variable PETSTORE_BINARY, or
 * else the one in the package of the platform.
 */
export function findBinary(): string {
  const chosen = process.env.PETSTORE_BINARY
  if (chosen && isLauncher(chosen)) {
    throw new Error(`PETSTORE_BINARY is ${chosen}, the launcher of petstore-sandbox; set it to the path of a petstore binary, or unset it`)
  }
  if (chosen) return chosen
  try {
    return require.resolve(`${wanted}/bin/${process.platform === 'win32' ? 'petstore.exe' : 'petstore'}`)
  } catch {
    throw new Error(whyMissing())
  }
}

/** Reports whether a path is that of bin.js of this package, or of a link to it. */
function isLauncher(path: string): boolean {
  const [file, launcher] = [path, join(__dirname, 'bin.js')].map(one => statSync(one, { bigint: true, throwIfNoEntry: false }))
  return file !== undefined && file.dev === launcher!.dev && file.ino === launcher!.ino
}

/**
 * Returns the environment for the binary, with these variables in addition. PETSTORE_BINARY is left out: if it names
 * another copy of the launcher, or a script that runs one, that would start itself again and again.
 */
export function environmentOfBinary(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PETSTORE_BINARY, ...environment } = process.env
  return { ...environment, ...added }
}

function whyMissing(): string {
  if (!binaries.includes(wanted)) {
    return `petstore-sandbox has no binary for ${process.platform} on ${process.arch}, only the packages ${binaries.join(', ')}; `
      + 'build one with Go, and set PETSTORE_BINARY to its path'
  }
  const tarball = `${wanted.replace('@', '').replace('/', '-')}-${version}.tgz`
  return `the package ${wanted}, which holds the binary for this machine, is not installed; install its tarball ${tarball} too, or, from npm, `
    + 'install again without --omit=optional, and on this machine: node_modules copied from another one has the binary of that one'
}

/** Returns an error that says what to do if the operating system could not start the binary. */
export function whyNotStarted(binary: string, error: NodeJS.ErrnoException): Error {
  const advice: Record<string, string> = {
    EACCES: `it is not executable; run chmod +x ${binary}, or install petstore-sandbox again`,
    ENOENT: process.env.PETSTORE_BINARY ? 'it is not there; set PETSTORE_BINARY to the path of a petstore binary, or unset it'
      : 'it is not there; install petstore-sandbox again',
  }
  return new Error(`cannot run ${binary}: ${advice[error.code ?? ''] ?? error.message}`, { cause: error })
}
