import { type ArchiveHit, searchArchive } from '../archive/search.ts';
import { shortId } from '../fleet/machine.ts';
import { counted, dayOf } from '../model/text.ts';
import { toPublicEvent } from '../store/public-event.ts';
import { terminalLine } from '../terminal/visible.ts';
import { usage } from './command.ts';
import { eventLine } from './event-line.ts';
import { limitOf } from './filters.ts';
import { type DatabaseOptions, withArchive } from './fleet-database.ts';
import { type FilterOptions, filtersOf } from './fleet-filters.ts';
import { paint } from './paint.ts';
import { sinceOf } from './values.ts';

type SearchOptions = DatabaseOptions & FilterOptions & { readonly since?: string };

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
  const { machine, since, limit } = options;
  const { agent, type, decision } = filtersOf(options);
  const from = sinceOf('fleet', since, Date.now());
  const filters = {
    ...(machine === undefined ? {} : { machine }),
    ...(agent === undefined ? {} : { source: agent }),
    ...(type === undefined ? {} : { type }),
    ...(decision === undefined ? {} : { decision }),
    ...(from === undefined ? {} : { since: from }),
  };
  if (!/[\p{L}\p{N}]/u.test(text) && Object.keys(filters).length === 0)
    throw usage('fleet', 'What is to be found?');
  return { text, limit: limitOf('fleet', limit, 20), ...filters };
}

function publicHit({ machine, event }: ArchiveHit): object {
  return { machine, ...toPublicEvent(event) };
}

function hitLine({ machine, event }: ArchiveHit): string {
  const name = machine.name ?? shortId(machine.id);
  return `${paint.dim(dayOf(event.timestamp))} ${terminalLine(paint.bold(name))} ${eventLine(event)}`;
}
