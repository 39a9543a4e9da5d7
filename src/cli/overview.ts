import { AGENT_COMMANDS } from '../agents/_names.ts';
import { folded } from '../terminal/fold.ts';
import { VERSION } from '../version.ts';
import { columns } from './output/columns.ts';
import { paint } from './output/paint.ts';
import { GROUPS, isListed, PARTS } from './summaries.ts';

/** The output of `hookline --help`. Loads no command and no agent. */
export function overview(): string {
  const agents = Object.entries(AGENT_COMMANDS);
  const groups = Object.entries(GROUPS).map(([title, commands], at): [string, [string, string][]] => [
    title,
    [
      ...Object.entries(commands).flatMap(([name, summary]) => rowsOf(name, summary)),
      ...(at === 0 ? agents : []),
    ],
  ]);
  const width = Math.max(...groups.flatMap(([, rows]) => rows.map(([name]) => name.length)));
  return [
    `${paint.bold('hookline')} ${VERSION}: one hook layer for every coding agent.`,
    '',
    `${paint.bold('Usage')}  hookline <command> [options]`,
    ...groups.flatMap(([title, rows]) => ['', paint.bold(title), ...columns(rows, width)]),
    '',
    folded('Subcommands also work on their own: `hookline approve` = `hookline approvals approve`.'),
    'Run `hookline <command> --help` for details.',
  ].join('\n');
}

/** A command, with its subcommands below it that have no row of their own. */
function rowsOf(name: string, summary: string): [string, string][] {
  const parts = (PARTS[name] ?? []).filter((part) => !isListed(part));
  return [
    [name, summary],
    ...(parts.length === 0 ? [] : [['', parts.join(' · ')] satisfies [string, string]]),
  ];
}
