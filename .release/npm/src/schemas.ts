import type { components } from './schemas.gen.js'

/** The types of the control plane, under the names in its document, `/admin/openapi.json`. */
export type schemas = components['schemas']

/** A rule that makes matching requests slow, wrong or broken. */
export type NewFaultRule = schemas['NewFaultRule']
/** A fault rule with its id and the number of times that it was applied. */
export type FaultRule = schemas['FaultRule']
/** When an operation is deprecated and removed. */
export type Lifecycle = schemas['Lifecycle']
/** Changes of a lifecycle. */
export type LifecyclePatch = schemas['LifecyclePatch']
/** An operation with its lifecycle and the number of its calls. */
export type OperationStatus = schemas['OperationStatus']
/** A request to the service and its response. */
export type JournalEntry = schemas['JournalEntry']
/** A part of a sandbox that can be reset on its own. */
export type Part = schemas['Part']
/** The time in a sandbox, and how far it is ahead of the machine's. */
export type ClockReading = schemas['Clock']
/** The seed and the sizes from which fake data is generated. */
export type Baseline = schemas['BaselineRequest']
/** Everything that a sandbox holds. */
export type World = schemas['World']
