// What attendees and the teacher say to each other. It travels as messages of the attendee's store, which both can
// write and read, so that it needs nothing that the store does not have.

const RAISED = "✋ I need help.";
const LOWERED = "✋ Thank you.";
const TO_ALL = "📣 ";
const RECENT = 20; // messages

/** @typedef {{id: number, message: string, createdAt: string}} Message */

/** The step by which a message is written. @param {string} message  @returns {import("./places.js").Step} */
const write = (message) => ({ method: "POST", path: "admin/data/messages", body: { message } });

/** The step by which an attendee raises a hand, or lowers it. @param {boolean} up */
export const raise = (up) => write(up ? RAISED : LOWERED);

/** The step by which the teacher says something. @param {string} text */
export const tellAll = (text) => write(TO_ALL + text);

/** The path of the messages that can say something. */
export const recent = `admin/data/messages?sort=-id&limit=${RECENT}`;

/** Whether the message raises a hand; undefined: it is about something else. @param {Message} message */
export const handIn = ({ message }) => (message === RAISED ? true : message === LOWERED ? false : undefined);

/** What the teacher says with the message; undefined: it is about something else. @param {Message} message */
export const saidIn = ({ message }) => (message.startsWith(TO_ALL) ? message.slice(TO_ALL.length) : undefined);

/** Whether the hand is up after the messages, which are newest first. @param {Message[]} messages */
export const handAfter = (messages) => messages.map(handIn).find((up) => up !== undefined) ?? false;

/** The last message of the teacher that is newer than the id. @param {Message[]} messages  @param {number} id */
export const saidAfter = (messages, id) => messages.find((one) => one.id > id && saidIn(one) !== undefined);
