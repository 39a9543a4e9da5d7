/**
 * One element of a format that hooks, dispatchers or observers are written in: a field, a value, a rule. Each is shown by
 * a test, named by its file and title, or by a fixture of the contract of agents (`fixture: claude/Stop/plain`).
 */
export type Element = readonly [element: string, file: string, shownBy: string];

/** The fixtures of an agent are decoded and answered by its contract. */
export const fixture = (agent: string, path: string): readonly [string, string] => [
  `src/agents/${agent}/agent.test.ts`,
  `fixture: ${agent}/${path}`,
];
