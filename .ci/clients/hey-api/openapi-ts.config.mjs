// What Hey API makes of both documents before every run: its usual plugins, which are types, a client and functions.
const documents = { petstore: 'openapi.yaml', admin: 'admin.yaml' }

export default Object.entries(documents).map(([name, file]) => ({
  input: `handlers/docs/${file}`,
  // Node.js runs TypeScript as it is, if imports name files.
  output: { path: `.ci/clients/hey-api/${name}.gen`, module: { extension: '.ts' } },
}))
