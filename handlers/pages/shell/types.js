// What the pages read of the API. The full description is at /openapi.json and /admin/openapi.json.

/**
 * @typedef {object} Message  headers and body of a request or a response
 * @property {Record<string, string>} headers
 * @property {boolean} [headersTruncated]
 * @property {string} [body]
 * @property {boolean} [bodyTruncated]
 * @property {number} bodySize  bytes; -1: unknown
 *
 * @typedef {Message & {status: number}} Response
 *
 * @typedef {object} RequestLine
 * @property {number} id
 * @property {string} time  by the sandbox's clock
 * @property {string} [receivedAt]  by the machine's clock
 * @property {string} requestId
 * @property {number} [draw]
 * @property {string} [operationId]
 * @property {string} method
 * @property {string} scheme
 * @property {string} host
 * @property {string} path
 * @property {string} [query]
 * @property {string} protocol
 * @property {number} status  0: aborted
 * @property {number} durationMs
 * @property {number} [fault]  id of the rule
 * @property {boolean} [changed]  whether the request changed the data
 * @property {boolean} [undone]  whether an undo has reverted that change
 * @property {string} client  the address
 * @property {string} [clientName]  as the client names itself
 * @property {Response} [response]
 *
 * @typedef {RequestLine & Message} Entry  of the journal
 *
 * @typedef {{requests: Entry[], matched: number, dropped: number, oldest?: number}} Journal
 *
 * @typedef {{now: string, frozen: boolean, offsetSeconds: number}} Clock
 *
 * @typedef {Record<string, number>} Counts  of records, by noun
 *
 * @typedef {object} Summary
 * @property {string} sandbox
 * @property {string} title
 * @property {boolean} ownKey  whether the key opens this sandbox alone
 * @property {Clock} clock
 * @property {number} faults
 * @property {number|null} seed
 * @property {Counts} counts
 * @property {number} writes  changes of the data since it was last reset
 * @property {number} undoable
 * @property {number} snapshots
 * @property {{entries: number, dropped: number}} journal
 *
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} method
 * @property {string} path
 * @property {string} tag
 * @property {number} calls
 * @property {boolean} changed
 * @property {boolean} deprecated
 * @property {string} [deprecatedSince]
 * @property {string} [sunset]
 * @property {string} [successor]
 * @property {string} [stability]
 * @property {boolean} enforceSunset
 * @property {number} brownout
 *
 * @typedef {object} Rule  of faults
 * @property {number} [id]
 * @property {number} [applied]
 * @property {boolean} [off]
 * @property {{operationId?: string, method?: string, path?: string, headers?: Record<string, string>}} [match]
 * @property {number} [probability]
 * @property {number} [times]
 * @property {{fixedMs?: number, jitterMs?: number, p50Ms?: number, p99Ms?: number}} [delay]
 * @property {number} [status]
 * @property {string} [code]
 * @property {string} [message]
 * @property {Record<string, string>} [headers]
 * @property {"reset"|"truncate"|"hang"} [abort]
 * @property {"before"|"after"} [when]
 *
 * @typedef {{added: number, changed: number, removed: number}} ChangeCount
 *
 * @typedef {{name: string, createdAt: string, counts: Counts, changes?: Record<string, ChangeCount>}} Snapshot
 *
 * @typedef {object} Sandbox
 * @property {string} name
 * @property {string} title
 * @property {string} createdAt
 * @property {string} lastUsedAt
 * @property {Counts} counts
 * @property {Clock} clock
 * @property {number} faults
 * @property {boolean} keyed  whether it has a key of its own
 * @property {boolean} private  whether the pet store requires that key
 * @property {number} operations  with a changed lifecycle
 * @property {number|null} seed
 * @property {{entries: number, dropped: number}} journal
 * @property {number} writes
 * @property {number} requests
 * @property {number} errors
 * @property {{method: string, path: string, status: number}} [lastRequest]
 *
 * @typedef {object} Use
 * @property {string} operationId
 * @property {string} userAgent
 * @property {string} clientName
 * @property {number} count
 * @property {string} first
 * @property {string} last
 * @property {string} [sunset]
 * @property {string} [successor]
 */

/**
 * A change of the rules.
 * @typedef {object} Change
 * @property {string} done  what was done
 * @property {() => void} run  undoes it
 * @property {(now: Rule[]) => Rule[]} back  returns what Undo would make of the rules
 * @property {(now: Rule[]) => boolean} holds  whether Undo would change the rules
 * @property {boolean} all  whether it removed the last rules
 */

/**
 * The search of the requests.
 * @typedef {object} Filtering
 * @property {string} search
 * @property {boolean} filtered
 * @property {string} [group]  1: groups errors; in: lists the errors of one group
 * @property {Entry[]} entries
 * @property {import("../dashboard/fold.js").RequestRow[]} found
 * @property {Set<number>} picked  the ids of the selected rows, listed or not
 * @property {number} older
 * @property {number} gone  the number no longer kept
 * @property {number} preflights  the number of folded entries
 * @property {import("../library/preact.js").Ref<HTMLInputElement|null>} box
 * @property {boolean} paused
 * @property {() => void} onPause
 * @property {() => void} onShowAll
 */

/**
 * The list of requests.
 * @typedef {object} Listing
 * @property {import("../dashboard/fold.js").RequestRow[]} found
 * @property {import("../dashboard/fold.js").RequestRow[]} all
 * @property {string} search
 * @property {number} older
 * @property {boolean} loading
 * @property {Set<number>} picked
 * @property {(ids: Set<number>) => void} onPick
 * @property {boolean} paused
 * @property {number} open  the id of the open request; 0: none
 * @property {() => void} onShowAll
 */

/**
 * A row of the list.
 * @typedef {object} RequestItem
 * @property {import("../dashboard/fold.js").RequestRow} row
 * @property {number} top
 * @property {boolean} current
 * @property {string[]} words  the searched words
 * @property {boolean} beside  whether a request is open beside the list
 * @property {boolean} picked
 * @property {boolean} picking  whether any row is picked
 * @property {(range?: boolean) => void} onPick  range: also those between it and the last one
 * @property {() => void} onOpen
 */

/**
 * What the page has of the journal.
 * @typedef {object} Kept
 * @property {Entry[]} entries
 * @property {boolean} loading
 * @property {any} error
 * @property {number} lost  requests that the page missed, and the server no longer keeps
 * @property {number} room  the number of entries that the page keeps
 * @property {number} older  the number of older requests on the server, when last read
 * @property {number} [first]  the id of the first request since the journal was cleared; missing: unknown
 */

/**
 * An unusual setting, for its chip.
 * @typedef {object} Unusual
 * @property {string} view  the view that shows it
 * @property {string} icon
 * @property {string|number} text
 * @property {string[]} more  words that are shown if there is room
 * @property {string} also  words that only the tooltip has
 */

/**
 * @typedef {object} Toast
 * @property {number} id
 * @property {any} text
 * @property {string[]} about  its subjects: a newer toast about one of them replaces it
 * @property {boolean} [bad]
 * @property {{text: string, run: () => void, here?: boolean}} [action]  here: works without the server
 * @property {import("./api.js").Call|import("./api.js").Call[]} [call]  the calls that did it
 * @property {() => void} [gone]  called when the toast goes without its action
 * @property {number} [lasts]  ms
 * @property {{text: string, run: () => void}} [also]  another action
 * @property {(now: any) => boolean} [holds]  whether it is still true in the given state of its subject
 * @property {number} at  when it was shown
 */

export {};
