/** A client of the pet store as an application has one, with fetch. It works in Node.js and in browsers. */
export class Shop {
  /** Uses the store at the address. onDeprecated receives the requests that will be refused one day. */
  constructor(url, { attempts = 5, onDeprecated = console.warn } = {}) {
    Object.assign(this, { url, attempts, onDeprecated })
  }

  /** Returns all pets that match, which it reads page by page. */
  async pets(query = {}) {
    const all = []
    let next = `${this.url}/pets?${new URLSearchParams({ limit: 100, ...query })}`
    while (next) {
      const page = await this.#send(next)
      all.push(...await json(page))
      next = link(page, 'next')
    }
    return all
  }

  /** Returns a pet, or undefined. */
  async pet(id) {
    let response = await this.#send(`${this.url}/pets/${id}`)
    if (response.status === 410) response = await this.#send(link(response, 'successor-version'))
    if (response.status === 404) return undefined
    const found = await json(response)
    return Array.isArray(found) ? found[0] : found
  }

  /** Creates a pet, once, however often it has to ask. */
  addPet(pet) {
    return this.#create('/pets', pet)
  }

  order(petId, quantity = 1) {
    return this.#create('/store/orders', { petId, quantity })
  }

  async #create(path, value) {
    // The key makes POST safe to repeat.
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `"${crypto.randomUUID()}"` }
    return json(await this.#send(this.url + path, { method: 'POST', headers, body: JSON.stringify(value) }))
  }

  /** Sends a request, again if the service is unavailable or the connection breaks. */
  async #send(url, init) {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, init).catch(error => error)
      const failed = response instanceof Error || [502, 503, 504].includes(response.status)
      if (failed && attempt < this.attempts) {
        const seconds = response.headers?.get('Retry-After') ?? 0
        await new Promise(resolve => setTimeout(resolve, seconds * 1000 + 10 * 2 ** attempt))
        continue
      }
      if (response instanceof Error) throw response
      const sunset = response.headers.get('Sunset')
      if (sunset) this.onDeprecated(`${init?.method ?? 'GET'} ${new URL(url).pathname} is removed on ${sunset}`)
      return response
    }
  }
}

async function json(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Returns the address of a link of the response, or undefined. */
function link(response, relation) {
  const links = (response.headers.get('Link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g)
  const found = [...links].find(([, , rel]) => rel === relation)
  return found && new URL(found[1], response.url).href
}
