// Receives webhooks and verifies them, with nothing but Node: SECRET=whsec_... node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.SECRET.replace(/^whsec_/, ''), 'base64')

/** Whether the sender knows the secret, and has sent it within the last five minutes. */
function verified(headers, body) {
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body])
  const wanted = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
  const fresh = Math.abs(Date.now() / 1000 - headers['webhook-timestamp']) < 300
  const same = (signature) => signature.length === wanted.length && timingSafeEqual(Buffer.from(signature), wanted)
  return fresh && headers['webhook-signature'].split(' ').some(same)
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const ok = verified(request.headers, body)
  if (ok) { // keep the webhook-id: what comes again with it is the same event
    const { type, data } = JSON.parse(body)
    console.log(type, JSON.stringify(data))
  }
  response.writeHead(ok ? 204 : 401).end()
})
server.listen(process.env.PORT ?? 3000, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
