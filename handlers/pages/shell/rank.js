// Which commands a text means.

/**
 * Returns those that have every word of the text in their own, those first in which words begin so.
 * @template {{text: string}} T
 * @param {T[]} commands
 * @param {string} text
 * @returns {T[]}
 */
export function ranked(commands, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const points = (/** @type {T} */ command) => {
    const own = ` ${command.text.toLowerCase()}`;
    return words.reduce((sum, word) => sum + (!own.includes(word) ? -Infinity : own.includes(` ${word}`) ? 1 : 0), own.startsWith(` ${text.toLowerCase()}`) ? 1 : 0);
  };
  return commands.map((command) => ({ command, points: points(command) }))
    .filter((one) => one.points > -Infinity)
    .sort((a, b) => b.points - a.points)
    .map(({ command }) => command);
}
