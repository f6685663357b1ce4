// The talk of attendees and teacher. It uses messages of the attendee's store, which both can write and read, and so
// needs no other mechanism.

const HAND = "✋ ";
const RAISED = "✋ I need help.";
const LOWERED = "✋ Thank you.";
const TO_ALL = "📣 ";
const TO_ONE = "💬 ";
const RECENT = 20; // messages

/** @typedef {{id: number, message: string, createdAt: string}} Message */

/** @typedef {{up: boolean, about: string, coming?: string}} Hand  coming: the teacher's reaction */

export const DOWN = { up: false, about: "" };

/** The message of a teacher who is on the way. */
export const ON_MY_WAY = "I am on my way.";

/** The message of a teacher who is not on the way after all. */
export const NOT_YET = "I am not on my way yet.";

/** What the wall shows for an attendee to whom the teacher is on the way. */
export const ON_THE_WAY = "on the way";

/** Returns the step that writes a message. @param {string} message  @returns {import("./places.js").Step} */
const write = (message) => ({ method: "POST", path: "admin/data/messages", body: { message } });

/**
 * Returns the step that raises an attendee's hand.
 * @param {string} about  the question, if any
 */
export function raise(about) {
  const text = about.trim() ? HAND + about.trim() : RAISED;
  return write(text === LOWERED ? `${text} ` : text); // a question equal to LOWERED gets a space
}

/** The step that lowers the hand. */
export const lower = write(LOWERED);

/** Returns the step that sends the teacher's message to everyone. @param {string} text */
export const tellAll = (text) => write(TO_ALL + text);

/** Returns the step that sends the teacher's message to selected attendees. @param {string} text */
export const tellOne = (text) => write(TO_ONE + text);

/** The path of the messages that can matter. */
export const recent = `admin/data/messages?sort=-id&limit=${RECENT}`;

/**
 * Returns the state of the hand after the message; undefined if it is not about a hand.
 * @param {Message} message
 * @returns {Hand|undefined}
 */
export const handIn = ({ message }) => (message.startsWith(HAND)
  ? { up: message !== LOWERED, about: [RAISED, LOWERED].includes(message) ? "" : message.slice(HAND.length).trim() }
  : undefined);

/** Whether the teacher said it to everyone. @param {Message} message */
export const isToAll = ({ message }) => message.startsWith(TO_ALL);

/** Returns what the teacher says in the message; undefined if the teacher did not send it. @param {Message} message */
export function saidIn({ message }) {
  const sign = [TO_ALL, TO_ONE].find((one) => message.startsWith(one));
  return sign && message.slice(sign.length);
}

/**
 * Returns the teacher's reaction in a message; "" if it withdraws one, undefined if the message is not a reaction.
 * @param {Message} message
 */
export function helpIn(message) {
  const said = saidIn(message);
  if (said === NOT_YET) return "";
  if (said === ON_MY_WAY) return ON_THE_WAY;
  return message.message.startsWith(TO_ONE) ? "messaged" : undefined;
}

/** Returns the teacher's reaction after the messages, which are newest first. @param {Message[]} messages */
const helpAfter = (messages) => messages.map(helpIn).find((help) => help !== undefined);

/**
 * Returns when a message was written, by the machine's clock (ms), or 0 if unknown. The message has the time of the
 * store's clock, which was the machine's if that time is possible; otherwise the clock had the same shift as now.
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

/** Returns the data without the talk of attendee and teacher. @template {{messages: Message[]}} T  @param {T} data */
export const withoutTalk = (data) => (
  { ...data, messages: data.messages.filter((one) => !handIn(one) && saidIn(one) === undefined) });

/** Returns the hand after the messages, which are newest first. @param {Message[]} messages  @returns {Hand} */
export function handAfter(messages) {
  const at = messages.findIndex(handIn);
  if (at < 0) return DOWN;
  return { ...DOWN, ...handIn(messages[at]), coming: helpAfter(messages.slice(0, at)) };
}

/**
 * @typedef {{id: number, text: string, toAll: boolean, asked: string, createdAt: string}} Said  asked: the question
 *   that it answers, or ""; createdAt: by the store's clock
 */

/**
 * Returns the teacher's last message, if it is newer than the id. It answers the hand that was up then.
 * @param {Message[]} messages  newest first
 * @param {number} id
 * @returns {Said|undefined}
 */
export function saidAfter(messages, id) {
  const at = messages.findIndex((one) => one.id > id && saidIn(one) !== undefined);
  if (at < 0) return undefined;
  const { id: own, createdAt } = messages[at];
  const asked = handAfter(messages.slice(at)).about;
  return { id: own, text: saidIn(messages[at]) ?? "", toAll: isToAll(messages[at]), asked, createdAt };
}

/**
 * Returns what the attendee should read. A newly raised hand removes answers to an earlier one. “On my way” and its
 * withdrawal remove nothing that was said before.
 * @param {Message[]} messages  newest first
 * @param {number} id  the id of the last message read
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

/** Sends the form of a textarea at Enter; Shift+Enter begins a new line. @param {KeyboardEvent} event */
export function sendByEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  /** @type {HTMLTextAreaElement} */ (event.currentTarget).form?.requestSubmit();
}
