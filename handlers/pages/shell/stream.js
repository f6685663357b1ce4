// A stream of server-sent events, and limits for the calls that events cause. The stream uses fetch, because
// EventSource cannot send a key.

import { errorOf, send } from "./api.js";

const FIRST_RETRY = 1000;
const LAST_RETRY = 5000;
/** The event for a dropped sandbox, after which the stream does not reconnect. */
export const DROPPED = "sandbox.dropped";

const SILENCE = 40_000; // the server sends something every 15 s

/**
 * @typedef {object} StreamState
 * @property {"connecting"|"live"|"catching up"|"lost"|"hidden"|"refused"} is
 * @property {number} [seconds]  until the next try, when lost; 0 during it
 * @property {number} [since]  when it was lost (ms)
 * @property {import("./api.js").ApiError} [error]  when refused
 *
 * @typedef {{id: number, name: string, data: any}} StreamEvent
 */

/**
 * Opens a stream. When it is lost, reopens it after the last event received. Closes it while the page is hidden.
 * @param {string} path
 * @param {object} listeners
 * @param {(event: StreamEvent) => void} listeners.onEvent
 * @param {(state: StreamState) => void} listeners.onState
 * @param {Record<string, string>} [listeners.headers]  with another key than the page's
 * @returns {{close: () => void, retry: () => void}}
 */
export function openStream(path, { onEvent, onState, headers: more }) {
  /** @type {AbortController|undefined} */
  let connection;
  let lastId = "";
  let wait = FIRST_RETRY;
  let lost = 0; // when it was lost (ms)
  let timer = 0;
  let closed = false;

  async function connect() {
    clearTimeout(timer);
    if (closed || document.hidden) return;
    connection?.abort();
    const mine = (connection = new AbortController());
    onState(lost ? { is: "lost", seconds: 0, since: lost } : { is: lastId ? "catching up" : "connecting" });
    const watch = watchdog(() => mine.abort("silent"));
    let slow = false; // whether the server ended it because the page was slow
    try {
      const headers = { ...more, ...(lastId && { "Last-Event-ID": lastId }) };
      const response = await send({ method: "GET", path, headers, signal: mine.signal });
      if (!response.ok || !response.body) return refused(await errorOf(response));
      await read(response.body, watch.reset, () => {
        wait = FIRST_RETRY;
        lost = 0;
        onState({ is: "live" });
      }, (event) => {
        if (event.id > 0 || event.name === "gap") lastId = String(event.id);
        slow = event.name === "dropped";
        onEvent(event);
      });
    } catch {
      // The stream is lost, or was closed here.
    } finally {
      watch.stop();
    }
    if (mine !== connection || closed || document.hidden) return;
    if (slow) return connect(); // at once: the server keeps missed events only for a moment
    again();
  }

  function again() {
    let seconds = Math.ceil(wait / 1000);
    wait = Math.min(2 * wait, LAST_RETRY);
    lost ||= Date.now();
    const count = () => {
      if (seconds <= 0) return void connect();
      onState({ is: "lost", seconds, since: lost });
      seconds -= 1;
      timer = setTimeout(count, 1000);
    };
    count();
  }

  /** @param {import("./api.js").ApiError} error */
  function refused(error) {
    connection = undefined;
    if (error.status >= 500) return again();
    lost = 0;
    onState({ is: "refused", error });
    if (error.status === 404) timer = setTimeout(connect, 5000); // the sandbox may be created
  }

  function visibility() {
    if (!document.hidden) return void connect();
    clearTimeout(timer);
    connection?.abort();
    connection = undefined;
    onState({ is: "hidden" });
  }
  document.addEventListener("visibilitychange", visibility);
  window.addEventListener("online", connect);
  void connect();
  return {
    retry() {
      wait = FIRST_RETRY;
      void connect();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      connection?.abort();
      document.removeEventListener("visibilitychange", visibility);
      window.removeEventListener("online", connect);
    },
  };
}

/** @param {() => void} bite */
function watchdog(bite) {
  let timer = setTimeout(bite, SILENCE);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(bite, SILENCE);
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Reads the stream to its end (WHATWG HTML, section 9.2.6). The server begins with a comment.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {() => void} onBytes
 * @param {() => void} onOpen
 * @param {(event: StreamEvent) => void} onEvent
 */
async function read(body, onBytes, onOpen, onEvent) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let open = false;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes();
    text += value;
    const blocks = text.split("\n\n");
    text = /** @type {string} */ (blocks.pop());
    for (const block of blocks) {
      if (!open) onOpen();
      open = true;
      const event = parse(block);
      if (event) onEvent(event);
    }
  }
}

/**
 * @param {string} block
 * @returns {StreamEvent|undefined}  missing: a comment
 */
function parse(block) {
  const event = { id: 0, name: "message", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    switch (line.slice(0, colon)) {
      case "id": event.id = Number(value); break;
      case "event": event.name = value; break;
      case "data": event.data += value; break;
    }
  }
  return event.data ? { ...event, data: JSON.parse(event.data) } : undefined;
}

/**
 * Returns a function that calls act at once, and again after the pause if it was called in the meantime.
 * @param {() => void} act
 * @param {number} pause  ms
 */
export function paced(act, pause) {
  let timer = 0;
  let missed = false;
  const call = () => {
    missed = timer !== 0;
    if (missed) return;
    timer = setTimeout(() => {
      timer = 0;
      if (missed) call();
    }, pause);
    act();
  };
  return call;
}

/**
 * Returns a function that calls act after the delay, once for all calls in between.
 * @param {() => void} act
 * @param {number} delay  ms
 */
export function later(act, delay) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      act();
    }, delay);
  };
}
