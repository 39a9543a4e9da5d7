/** Typical rules: about programs, and about effects. */
const KINDS = [
  (at) => `command: program-${at} --force`,
  (at) => `command: tool-${at} delete *`,
  (at) => `effects: resource system-${at} destructive`,
  (at) => `command: kubectl --namespace=n${at} delete`,
];

/**
 * A rule file of so many rules.
 *
 * @param {number} count
 * @param {number} [first] the number of the first one; ids are numbers
 */
export function manyRules(count, first = 0) {
  const lines = Array.from({ length: count }, (_, offset) => {
    const at = first + offset;
    return `  - { id: r${at}, ${KINDS[at % KINDS.length](at)}, deny: no }`;
  });
  return `rules:\n${lines.join('\n')}\n`;
}
