// What attendees and the teacher say to each other. It travels as messages of the attendee's store, which both can
// write and read, so that it needs nothing that the store does not have.

const HAND = "✋ ";
const RAISED = "✋ I need help.";
const LOWERED = "✋ Thank you.";
const TO_ALL = "📣 ";
const TO_ONE = "💬 ";
const RECENT = 20; // messages

/** @typedef {{id: number, message: string, createdAt: string}} Message */

/** @typedef {{up: boolean, about: string, coming?: string}} Hand  coming: what the teacher does about it */

export const DOWN = { up: false, about: "" };

/** What the teacher says who is on the way. */
export const ON_MY_WAY = "I am on my way.";

/** What the teacher says who is not on the way after all. */
export const NOT_YET = "I am not on my way yet.";

/** What the wall shows of an attendee to whom the teacher goes. */
export const ON_THE_WAY = "on the way";

/** The step by which a message is written. @param {string} message  @returns {import("./places.js").Step} */
const write = (message) => ({ method: "POST", path: "admin/data/messages", body: { message } });

/**
 * The step by which an attendee raises a hand.
 * @param {string} about  what it is about, if the attendee says so
 */
export function raise(about) {
  const text = about.trim() ? HAND + about.trim() : RAISED;
  return write(text === LOWERED ? `${text} ` : text); // a question that reads like the other sign
}

/** The step by which an attendee or the teacher lowers the hand. */
export const lower = write(LOWERED);

/** The step by which the teacher says something to everyone. @param {string} text */
export const tellAll = (text) => write(TO_ALL + text);

/** The step by which the teacher says something to those who are selected. @param {string} text */
export const tellOne = (text) => write(TO_ONE + text);

/** The path of the messages that can say something. */
export const recent = `admin/data/messages?sort=-id&limit=${RECENT}`;

/**
 * What the message does to the hand, and what a raised hand is about; undefined: it is about something else.
 * @param {Message} message
 * @returns {Hand|undefined}
 */
export const handIn = ({ message }) => (message.startsWith(HAND)
  ? { up: message !== LOWERED, about: [RAISED, LOWERED].includes(message) ? "" : message.slice(HAND.length).trim() }
  : undefined);

/** What the teacher says with the message; undefined: it is about something else. @param {Message} message */
export function saidIn({ message }) {
  const sign = [TO_ALL, TO_ONE].find((one) => message.startsWith(one));
  return sign && message.slice(sign.length);
}

/**
 * What the teacher does for an attendee with the message; "": nothing any more, undefined: it is about something else.
 * @param {Message} message
 */
export function helpIn(message) {
  const said = saidIn(message);
  if (said === NOT_YET) return "";
  if (said === ON_MY_WAY) return ON_THE_WAY;
  return message.message.startsWith(TO_ONE) ? "messaged" : undefined;
}

/** What the teacher does after the messages, which are newest first. @param {Message[]} messages */
const helpAfter = (messages) => messages.map(helpIn).find((help) => help !== undefined);

/**
 * When a message was written, by the machine's clock (ms); 0: it cannot be said. The message has the time of the
 * store's clock. That was the machine's, unless nothing can have been written then; else it is still moved alike.
 * @param {{createdAt: string}} message
 * @param {{createdAt: string, clock: import("../shell/types.js").Clock}} box
 * @param {number} now
 */
export function writtenAt({ createdAt }, box, now) {
  const { clock: { frozen, offsetSeconds } } = box;
  const at = Date.parse(createdAt);
  const can = (/** @type {number} */ one) => one >= Date.parse(box.createdAt) && one <= now;
  return [at, frozen ? 0 : at - offsetSeconds * 1000].find(can) ?? 0;
}

/** The data of a store, without what attendee and teacher say. @template {{messages: Message[]}} T  @param {T} data */
export const withoutTalk = (data) => (
  { ...data, messages: data.messages.filter((one) => !handIn(one) && saidIn(one) === undefined) });

/** The hand after the messages, which are newest first. @param {Message[]} messages  @returns {Hand} */
export function handAfter(messages) {
  const at = messages.findIndex(handIn);
  if (at < 0) return DOWN;
  return { ...DOWN, ...handIn(messages[at]), coming: helpAfter(messages.slice(0, at)) };
}

/**
 * @typedef {{id: number, text: string, asked: string, createdAt: string}} Said  asked: the question that it answers, if
 *   there is one; createdAt: by the clock of the store
 */

/**
 * What the teacher has said last, if that is newer than the id. It answers the hand that was up then.
 * @param {Message[]} messages  newest first
 * @param {number} id
 * @returns {Said|undefined}
 */
export function saidAfter(messages, id) {
  const at = messages.findIndex((one) => one.id > id && saidIn(one) !== undefined);
  if (at < 0) return undefined;
  const { id: own, createdAt } = messages[at];
  return { id: own, text: saidIn(messages[at]) ?? "", asked: handAfter(messages.slice(at)).about, createdAt };
}

/**
 * What an attendee has to read. A newly raised hand takes away what answers an earlier one. That the teacher comes,
 * or does not yet, takes nothing away that was said before.
 * @param {Message[]} messages  newest first
 * @param {number} id  of what was read last
 */
export function unreadAfter(messages, id) {
  const raised = messages.findIndex((one) => handIn(one)?.up);
  const isOld = (/** @type {number} */ at) => at > raised && handAfter(messages.slice(at)).up;
  const current = messages.filter((one, at) => handIn(one) || !isOld(at));
  const said = saidAfter(current, id);
  const ways = [ON_MY_WAY, NOT_YET];
  if (!said || !ways.includes(said.text)) return said;
  const hint = saidAfter(current.filter((one) => !ways.includes(saidIn(one) ?? "")), id);
  return hint ? { ...said, text: `${said.text} ${hint.text}` } : said;
}

/** Sends the form of a text of several lines by Enter; Shift+Enter begins a line. @param {KeyboardEvent} event */
export function sendByEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  /** @type {HTMLTextAreaElement} */ (event.currentTarget).form?.requestSubmit();
}
