// The types of the service, generated from its document.
import type { Order, Pet } from './api.gen.js'

export type * from './api.gen.js'

/** A pet as this server sends it: always with the status, which the document leaves optional. */
export type PetSent = Pet & Required<Pick<Pet, 'status'>>

/** An order as this server sends it: always with what the document leaves optional. */
export type OrderSent = Order & Required<Pick<Order, 'id' | 'quantity' | 'complete'>>
