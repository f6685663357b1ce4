import config from '../playwright.config.ts'

export default { ...config, testDir: '.', testMatch: 'flaky-orders.ts' }
