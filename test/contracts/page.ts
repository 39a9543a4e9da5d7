import { AGENTS } from '../../src/agents/_registry.ts';
import type { Change } from './changes.ts';
import type { Drift } from './drift.ts';

const HEAD = `<!-- Generated. Run \`npm run contracts\` instead of editing it. -->

# Changes in agents

\`npm run contracts\` writes this page. It runs each agent at the measured and at the newest version, with the checks of
[\`hookline doctor --live\`](doctor.md#test-an-agents-version), and lists differences. In a table, \`as measured\` means that the payload has
the fields of the fixtures, or that the effect works.
`;

/** docs/contracts.md. */
export function driftPage(drifts: readonly Drift[]): string {
  return [HEAD, ...notRun(drifts), ...drifts.map(section)].join('\n');
}

/** Says which agents the page leaves out, so that their absence doesn't read as no change. */
function notRun(drifts: readonly Drift[]): readonly string[] {
  const missing = [...AGENTS.values()].filter(({ id }) => !drifts.some(({ agent }) => agent === id));
  return missing.length === 0 ? [] : [`Not run: ${missing.map(({ label }) => label).join(', ')}.\n`];
}

function section({ label, from, to, changes, problem }: Drift): string {
  const title =
    from === to ? `## ${label} ${foreign(from)}` : `## ${label} ${foreign(from)} → ${foreign(to)}`;
  if (problem !== null) return `${title}\n\nCould not be tried: ${foreign(problem)}\n`;
  if (changes.length === 0)
    return `${title}\n\n${from === to ? 'This is the newest version.' : 'Nothing that Hookline sees is different.'}\n`;
  const rows = changes.map((change) => row(change)).join('\n');
  return `${title}\n\n| | | ${from === to ? 'measured' : cell(from)} | ${cell(to)} |\n|---|---|---|---|\n${rows}\n`;
}

function row({ kind, name, before, after, breaks }: Change): string {
  return `| ${[kind, cell(name), cell(before), `${cell(after)}${breaks ? ' **(breaks a guard)**' : ''}`].join(' | ')} |`;
}

function cell(text: string): string {
  return foreign(text).replaceAll('|', '\\|');
}

/** The page becomes an issue: names that a client or a registry made up must neither call people nor be links or markup. */
const HARMLESS = /^(?!.*\bwww\.)[\w\s.,:;()'"=|?+→-]*$/;
const MOST_CHARS = 500;

function foreign(text: string): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, ' ').slice(0, MOST_CHARS);
  return HARMLESS.test(line) ? line : `\`${line.replaceAll('`', "'")}\``;
}
