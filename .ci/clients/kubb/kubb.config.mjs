// Has Kubb generate types, and functions that fetch, from both documents before every run.
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

const documents = { petstore: 'openapi.yaml', admin: 'admin.yaml' }

export default Object.entries(documents).map(([name, file]) =>
  defineConfig({
    input: { path: `../../../handlers/docs/${file}` },
    // Node.js runs TypeScript directly if imports name files.
    output: { path: `${name}.gen`, extension: { '.ts': '.ts' }, format: false, lint: false },
    plugins: [pluginOas({ generators: [], validate: false }), pluginTs(), pluginClient({ client: 'fetch' })],
  }),
)
