import type { Change } from './changes.ts';
import type { Drift } from './drift.ts';

const HEAD = `# What changed in the agents

Written by \`npm run contracts\`, which runs each agent at the version that Hookline was measured with and at the newest one of
the npm registry, with the checks of \`hookline doctor --live\` ([doctor.md](doctor.md)). \`as measured\`: the payload has the fields of
the fixtures, or the effect works. Only what differs is listed.
`;

/** docs/contracts.md. */
export function driftPage(drifts: readonly Drift[]): string {
  return [HEAD, ...drifts.map(section)].join('\n');
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
