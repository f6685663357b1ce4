// The pet store is at /petstore beside the page, without CORS. It starts and stops with Vite.
import { petstore } from 'petstore-sandbox/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [petstore({ pets: 500 })],
})
