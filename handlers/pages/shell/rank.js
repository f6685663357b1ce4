// Ranks commands by how well they match a text.

const LEAST = 3; // letters that match a word with other letters between them

/** Matches other as a subsequence of word with the same first letter. Returns the number of extra letters, or ∞. */
function besides(/** @type {string} */ other, /** @type {string} */ word) {
  let at = 0;
  for (const letter of word) if (letter === other[at]) at++;
  const has = other.length >= LEAST && other[0] === word[0] && at === other.length;
  return has ? word.length - at : Infinity;
}

/**
 * Returns the commands that match every word of the text, best first. Whole words count most, then beginnings of words,
 * then beginnings of other search words, then parts of words, and least words with letters in between.
 * @template {{text: string, also?: string}} T  also: other words for it
 * @param {T[]} commands
 * @param {string} text
 * @returns {T[]}
 */
export function ranked(commands, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const points = (/** @type {T} */ command) => {
    const own = ` ${command.text.replace(/[“”]/g, "")} `.toLowerCase();
    const all = `${own}${command.also ?? ""} `.toLowerCase();
    const point = (/** @type {string} */ word) => {
      if (own.includes(` ${word} `)) return 2;
      if (own.includes(` ${word}`)) return 1;
      if (all.includes(` ${word}`)) return 0.5;
      return all.includes(word) ? 0 : -Math.min(...all.split(" ").map((one) => besides(word, one)));
    };
    const first = own.startsWith(` ${text.toLowerCase()}`) ? 1 : 0;
    const name = own.endsWith(` ${text.trim().toLowerCase()} `) ? 1 : 0;
    return words.reduce((sum, word) => sum + point(word), first + name);
  };
  return commands.map((command) => ({ command, points: points(command) }))
    .filter((one) => one.points > -Infinity)
    .sort((a, b) => b.points - a.points)
    .map(({ command }) => command);
}

/**
 * Returns the commands by group. The groups are in the order of their first commands.
 * @template {{group: string}} T
 * @param {T[]} commands
 * @returns {{name: string, commands: T[]}[]}
 */
export function groupsOf(commands) {
  const names = [...new Set(commands.map(({ group }) => group))];
  return names.map((name) => ({ name, commands: commands.filter(({ group }) => group === name) }));
}
