// Has Orval generate types, and functions that fetch from $PETSTORE_URL, from both documents before every run.
const documents = { petstore: 'openapi.yaml', admin: 'admin.yaml' }

export default Object.fromEntries(
  Object.entries(documents).map(([name, file]) => [
    name,
    {
      input: `../../../handlers/docs/${file}`,
      output: { target: `${name}.gen.ts`, client: 'fetch', baseUrl: process.env.PETSTORE_URL },
    },
  ]),
)
