#!/usr/bin/env node
// Runs the petstore binary as if it had been called itself: with the same arguments, input, output, signals and exit status.
// It ends the binary when its own parent has ended.
import { spawn } from 'node:child_process'
import { environmentOfBinary, findBinary, whyNotStarted } from './binary.js'

const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']

/** The interval at which the launcher checks for its parent, in milliseconds. */
const parentInterval = 1000

function run(binary: string): void {
  for (const signal of signals) process.on(signal, () => pass(signal)) // before the binary announces that it accepts requests
  const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit', env: environmentOfBinary() })
  const parent = process.ppid
  const watch = setInterval(() => {
    if (isThere(parent)) return
    clearInterval(watch) // because a second signal would end the requests in flight
    child.kill()
  }, parentInterval).unref()
  child.on('error', error => fail(whyNotStarted(binary, error)))
  child.on('exit', (code, signal) => {
    for (const signal of signals) process.removeAllListeners(signal)
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code ?? 1
  })

  /** A terminal sends Ctrl-C to the binary as well; passed on, it would be a second one, which ends it at once. */
  function pass(signal: NodeJS.Signals): void {
    const typed = (signal === 'SIGINT' || signal === 'SIGQUIT') && (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
    if (!typed) child.kill(signal)
  }
}

/**
 * Reports whether the parent still runs. Signals that end npx reach the shell between it and the launcher at most, and
 * standard input cannot stand for the parent: that of a background job is empty at once.
 */
function isThere(parent: number): boolean {
  if (process.ppid !== parent) return false
  try {
    return process.kill(parent, 0) // Windows gives no other parent to a process whose parent has ended
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function fail(error: unknown): void {
  console.error(`petstore-sandbox: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

try {
  run(findBinary())
} catch (error) {
  fail(error)
}
