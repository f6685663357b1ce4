// Modules as they are, with node --experimental-vm-modules.
export default { transform: {}, testMatch: ['**/jest/*.test.js'] }
