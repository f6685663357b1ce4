import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'playwright',
  fullyParallel: true,
  use: {
    // Debian's browser, which has no sandbox for root. Leave this out if Playwright has installed its own.
    launchOptions: { executablePath: '/usr/bin/chromium', chromiumSandbox: process.getuid() !== 0 },
  },
})
