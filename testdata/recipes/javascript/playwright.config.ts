import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'playwright',
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 60_000 },
  use: {
    // Debian's browser, which has no sandbox for root. Leave this out if Playwright has installed its own.
    launchOptions: { executablePath: '/usr/bin/chromium', chromiumSandbox: process.getuid?.() !== 0 },
  },
})
