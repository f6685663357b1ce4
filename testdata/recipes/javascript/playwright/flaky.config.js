import config from '../playwright.config.js'

export default { ...config, testDir: '.', testMatch: 'flaky-orders.js' }
