import type { components } from './schemas.gen.js'

/** What the control plane takes and gives, by the names in its document, `/admin/openapi.json`. */
export type schemas = components['schemas']

/** A rule that makes matching requests slow, wrong or broken. */
export type NewFaultRule = schemas['NewFaultRule']
/** The same, with its id and how often it was applied. */
export type FaultRule = schemas['FaultRule']
/** What an operation says about its age. */
export type Lifecycle = schemas['Lifecycle']
/** Changes of that. */
export type LifecyclePatch = schemas['LifecyclePatch']
/** An operation as it is now. */
export type OperationStatus = schemas['OperationStatus']
/** A request that a sandbox has answered, and what it answered. */
export type JournalEntry = schemas['JournalEntry']
/** A part of a sandbox that can be reset on its own. */
export type Part = schemas['Part']
/** What a clock shows. */
export type ClockReading = schemas['Clock']
/** What fake data is generated from. */
export type Baseline = schemas['BaselineRequest']
/** Everything that a sandbox holds. */
export type World = schemas['World']
