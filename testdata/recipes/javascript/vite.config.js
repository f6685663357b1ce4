// A page that Vite serves at http://localhost:5173 finds the pet store at /petstore/, without CORS. Start it with:
//
//     petstore --public-url http://localhost:5173/petstore --admin-key KEY
//
// Links, Location, the document and the pages then have the prefix, which the proxy leaves in the path.
import { defineConfig } from 'vite'

export default defineConfig({
  server: { port: 5173, proxy: { '/petstore': process.env.PETSTORE_URL ?? 'http://127.0.0.1:8080' } },
})
