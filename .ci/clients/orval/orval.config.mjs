// What Orval makes of both documents before every run: types, and functions that fetch from the address in $PETSTORE_URL.
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
