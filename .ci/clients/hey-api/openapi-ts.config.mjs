// Has Hey API generate types, a client and functions from both documents before every run.
const documents = { petstore: 'openapi.yaml', admin: 'admin.yaml' }

export default Object.entries(documents).map(([name, file]) => ({
  input: `handlers/docs/${file}`,
  // Node.js runs TypeScript directly if imports name files.
  output: { path: `.ci/clients/hey-api/${name}.gen`, module: { extension: '.ts' } },
}))
