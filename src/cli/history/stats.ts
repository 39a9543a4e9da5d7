import { readObserved } from '../../client/observed.ts';
import { eventsWithFate } from '../../history/calls/list-calls.ts';
import { readStats, type Stats } from '../../history/stats.ts';
import { homePaths } from '../../home/paths.ts';
import { counted, timeTaken } from '../../model/text.ts';
import { defineCommand, flag, value } from '../command.ts';
import {
  FATE_OPTIONS,
  fatesOf,
  limitOf,
  nothingThere,
  readTimes,
  WHERE_OPTIONS,
  whereOf,
} from '../filters.ts';
import { columns } from '../output/columns.ts';
import { paint } from '../output/paint.ts';
import { bars, sparkline } from '../output/plot.ts';
import { overruledLine } from '../rules/report.ts';
import { sinceOption } from '../values.ts';

const MOST = 12;

export default defineCommand({
  name: 'stats',
  summary: 'Count tools, files, failures, denials, approval times, cost and tokens.',
  options: {
    ...WHERE_OPTIONS,
    since: sinceOption('7d'),
    ...FATE_OPTIONS,
    limit: value('N', `Show at most N lines per kind (default: ${MOST}).`),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline stats --since 24h', 'the last day'],
    ['hookline stats --denied', 'denied calls only'],
    ['hookline stats --project . --json | jq .tokens', 'the cost of this project'],
  ],
  async run({ json, limit, ...filters }) {
    const now = Date.now();
    const given = { ...filters, since: filters.since ?? '7d' };
    readTimes('stats', given, now);
    const most = limitOf('stats', limit, MOST);
    const text = await readObserved(homePaths(), (db) => {
      const where = whereOf('stats', db, given, now);
      const rows = eventsWithFate(db, where, fatesOf(given), now)?.map(({ row }) => row);
      const stats = readStats(db, { ...where, ...(rows ? { rows } : {}), limit: most });
      if (json) return JSON.stringify(stats);
      return stats.events === 0 ? nothingThere(db, 'event', given) : shown(stats, most).join('\n');
    });
    console.log(text);
    return 0;
  },
});

function shown(stats: Stats, most: number): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint.bold(title), ...lines];
  return [
    paint.bold(
      `${counted(stats.events, 'event')}, ${counted(stats.sessions, 'session')}, ${counted(stats.prompts, 'prompt')}`,
    ),
    ...section(
      'Days',
      stats.perDay.length < 2
        ? []
        : [
            `  ${stats.perDay[0]?.name} ${paint.cyan(sparkline(stats.perDay.map(({ n }) => n)))} ${stats.perDay.at(-1)?.name}`,
          ],
    ),
    ...section('Agents', bars(stats.perAgent)),
    ...section(
      'Tools',
      bars(
        stats.tools.map(({ name, n, failed }) => ({
          name,
          n,
          note: failed > 0 ? paint.red(` (${failed} failed)`) : '',
        })),
      ),
    ),
    ...section('Files changed', bars(stats.files)),
    ...section('Failures', bars(stats.failures)),
    ...section('Denied by', bars(stats.denials)),
    ...section(
      'Asked by',
      stats.peace
        .filter(({ asked }) => asked > 0)
        .slice(0, most)
        .map(overruledLine),
    ),
    ...section(
      'Prompts saved by',
      bars(
        stats.peace
          .flatMap(({ rule, saved }) => (saved > 0 ? [{ name: rule, n: saved }] : []))
          .slice(0, most),
      ),
    ),
    '',
    ...columns(totals(stats)),
  ];
}

function totals({ tokens, hookMs, approvals, gaps, peace }: Stats): string[][] {
  const sum = (key: 'asked' | 'allowed' | 'saved') => peace.reduce((all, one) => all + one[key], 0);
  return [
    ['Prompts saved', `${sum('saved')}`],
    [
      'Rules asked',
      sum('asked') === 0 ? 'nothing' : `${counted(sum('asked'), 'time')}, and you allowed ${sum('allowed')}`,
    ],
    [
      'Hookline itself',
      hookMs.median === null
        ? '–'
        : `${hookMs.median.toFixed(2)} ms per call (p95 ${hookMs.p95?.toFixed(2)} ms, max ${hookMs.max?.toFixed(2)} ms), without approval time`,
    ],
    [
      'Approvals',
      approvals.medianMs === null
        ? 'none'
        : `${approvals.n}, half answered within ${timeTaken(approvals.medianMs)}`,
    ],
    [
      'Tokens',
      `${tokens.input} in, ${tokens.output} out, ${tokens.cacheRead} read from and ${tokens.cacheWrite} written to caches${tokens.costUsd === null ? '' : `, ${tokens.costUsd.toFixed(2)} USD as reported by the agents`}`,
    ],
    ...(gaps > 0 ? [['Not reported by hooks', `${gaps} calls (see \`hookline show <session>\`)`]] : []),
  ];
}
