import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AGENT_IDS } from '../agents/_names.ts';
import type { Fate } from '../history/calls/list-calls.ts';
import { findSession } from '../history/sessions/story.ts';
import { createProjectFinder } from '../home/identity.ts';
import { HooklineError } from '../model/errors.ts';
import { suggestion } from '../model/suggestion.ts';
import { counted, folderName, minuteOf } from '../model/text.ts';
import type { Database } from '../store/database/driver.ts';
import { countEvents, listEvents, listSessions } from '../store/read/queries.ts';
import { type Flag, flag, type Value, value } from './command.ts';
import { countOf, sinceOf, sinceOption, untilOf, untilOption } from './values.ts';

/** Options that select calls: the same for every command that searches the history. */
export const WHERE_OPTIONS: Readonly<Record<'agent' | 'project' | 'session' | 'since' | 'until', Value>> = {
  agent: value('A', 'Only this agent.'),
  project: value('DIR|NAME', 'Only this project, by directory or name.'),
  session: value('ID', 'Only this session; the start of its ID is enough.'),
  since: sinceOption('all'),
  until: untilOption(),
};

/** Options that select by outcome. */
export const FATE_OPTIONS: Readonly<Record<'denied' | 'asked' | 'failed', Flag>> = {
  denied: flag('Only denied calls.'),
  asked: flag('Only calls that needed approval.'),
  failed: flag('Only failed calls.'),
};

interface WhereValues {
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

interface FateValues {
  readonly denied?: boolean;
  readonly asked?: boolean;
  readonly failed?: boolean;
}

export interface Where {
  readonly source?: string;
  readonly project?: string;
  readonly session?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Invalid times are reported before the history is opened. */
export function readTimes(
  command: string,
  { since, until }: WhereValues,
  now: number,
): Pick<Where, 'since' | 'until'> {
  const from = sinceOf(command, since, now);
  const to = untilOf(command, until, now);
  return { ...(from === undefined ? {} : { since: from }), ...(to === undefined ? {} : { until: to }) };
}

/** Turns the options into a filter. An unknown name is an error, because an empty list would look like an answer. */
export function whereOf(command: string, db: Database, values: WhereValues, now: number): Where {
  const { agent, project, session } = values;
  return {
    ...readTimes(command, values, now),
    ...(agent === undefined ? {} : { source: knownAgent(db, agent) }),
    ...(project === undefined ? {} : { project: knownProject(db, project) }),
    ...(session === undefined ? {} : { session: knownSession(db, session) }),
  };
}

export function fatesOf({ denied, asked, failed }: FateValues): readonly Fate[] {
  return [
    ...(denied ? (['denied'] as const) : []),
    ...(asked ? (['asked'] as const) : []),
    ...(failed ? (['failed'] as const) : []),
  ];
}

export function limitOf(command: string, limit: string | undefined, otherwise: number): number {
  return countOf(command, 'limit', limit, otherwise, 1);
}

function knownAgent(db: Database, name: string): string {
  const known = new Set([...AGENT_IDS, ...listSessions(db, { own: true }).map(({ source }) => source)]);
  const found = [...known].find((one) => one.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw missing(`Unknown agent "${name}"`, name, [...known]);
}

function knownSession(db: Database, idOrPrefix: string): string {
  const found = findSession(db, idOrPrefix);
  if (found) return found.sessionId;
  const ids = listSessions(db, { own: true }).map(({ sessionId }) => sessionId);
  throw missing(`Unknown session "${idOrPrefix}"`, idOrPrefix, ids, 'Run `hookline sessions` to list them.');
}

/** A deleted directory, or its last part, still names what was done in it. */
function knownProject(db: Database, text: string): string {
  const known = [...new Set(listSessions(db).flatMap(({ projectId }) => projectId ?? []))];
  const path = resolve(text);
  const folder = existsSync(path) ? createProjectFinder()(path) : path;
  const [found, other] = known.includes(folder) ? [folder] : known.filter((id) => folderName(id) === text);
  if (other !== undefined) {
    throw new HooklineError('USAGE', `More than one project is named "${text}".`, {
      hint: `Use its directory: ${[found, other].join(', ')}.`,
    });
  }
  if (found !== undefined) return found;
  throw missing(`No history for a project "${text}"`, text, known.map(folderName));
}

/** More than the number of agents, so that none is left out. */
const MOST_NAMES = 20;

function missing(what: string, typed: string, known: readonly string[], hint?: string): HooklineError {
  const names = known.filter(Boolean);
  const more = names.length > MOST_NAMES ? ', …' : '.';
  const list =
    names.length === 0
      ? 'The history is empty.'
      : `Known projects: ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
  const near = suggestion(typed, names);
  return new HooklineError('NOT_FOUND', near ? `${what}: ${near}` : `${what}.`, { hint: hint ?? list });
}

/** Why a list is empty: there are no events, or the filters match none. */
export function nothingThere(db: Database, what: string, values: object, words = ''): string {
  const total = countEvents(db);
  if (total === 0) return 'No events yet. They appear once an agent that is set up makes a tool call.';
  const given = [
    ...(words === '' ? [] : [`"${words}"`]),
    ...Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [`--${name}${value === true ? '' : ` ${value}`}`],
    ),
  ];
  if (given.length === 0) return `No ${what}.`;
  const last = listEvents(db, { newest: true, limit: 1 })[0];
  const newest = last ? `, latest at ${minuteOf(last.timestamp)}` : '';
  return `No ${what} matches ${given.join(' ')}. Without these filters there are ${counted(total, 'event')}${newest}.`;
}
