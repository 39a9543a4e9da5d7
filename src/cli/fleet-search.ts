import { type ArchiveHit, searchArchive } from '../archive/search.ts';
import { EVENT_TYPES } from '../model/events.ts';
import type { Decision } from '../model/responses.ts';
import { counted, dayOf } from '../model/text.ts';
import { toPublicEvent } from '../store/public-event.ts';
import { terminalLine } from '../terminal/visible.ts';
import { usage } from './command.ts';
import { eventLine } from './event-line.ts';
import { limitOf } from './filters.ts';
import { withArchive } from './fleet-database.ts';
import { paint } from './paint.ts';
import { sinceOf } from './values.ts';

const DECISIONS: readonly Decision[] = ['deny', 'ask', 'allow', 'none'];

interface SearchOptions {
  readonly database?: string;
  readonly plaintext?: boolean;
  readonly ca?: string;
  readonly machine?: string;
  readonly agent?: string;
  readonly type?: string;
  readonly decision?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** Looks something up in the record of all machines, the newest first. */
export async function searchFleet(words: string, options: SearchOptions): Promise<number> {
  const query = queryFrom(words.trim(), options);
  const { hits, unreadable } = await withArchive(options, (db) => searchArchive(db, query));
  for (const hit of hits) console.log(options.json ? JSON.stringify(publicHit(hit)) : hitLine(hit));
  if (!options.json && hits.length === 0) console.log('Nothing in the record of the fleet matches that.');
  if (unreadable > 0)
    console.error(`${counted(unreadable, 'record')} of a newer Hookline cannot be shown: update this one.`);
  return 0;
}

function queryFrom(text: string, options: SearchOptions): Parameters<typeof searchArchive>[1] {
  const { machine, agent, type, decision, since, limit } = options;
  const wanted = EVENT_TYPES.find((one) => one === type);
  if (type !== undefined && wanted === undefined)
    throw usage('fleet', `There is no type "${type}". There are: ${EVENT_TYPES.join(', ')}.`);
  const decided = DECISIONS.find((one) => one === decision);
  if (decision !== undefined && decided === undefined)
    throw usage('fleet', `There is no decision "${decision}". There are: ${DECISIONS.join(', ')}.`);
  const from = sinceOf('fleet', since, Date.now());
  if (
    !/[\p{L}\p{N}]/u.test(text) &&
    [machine, agent, wanted, decided, from].every((one) => one === undefined)
  )
    throw usage('fleet', 'What is to be found?');
  return {
    text,
    limit: limitOf('fleet', limit, 20),
    ...(machine === undefined ? {} : { machine }),
    ...(agent === undefined ? {} : { source: agent }),
    ...(wanted === undefined ? {} : { type: wanted }),
    ...(decided === undefined ? {} : { decision: decided }),
    ...(from === undefined ? {} : { since: from }),
  };
}

function publicHit({ machine, event }: ArchiveHit): object {
  return { machine, ...toPublicEvent(event) };
}

function hitLine({ machine, event }: ArchiveHit): string {
  const name = machine.name ?? machine.id.slice(0, 8);
  return `${paint.dim(dayOf(event.timestamp))} ${terminalLine(paint.bold(name))} ${eventLine(event)}`;
}
