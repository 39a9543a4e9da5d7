import { type ArchiveHit, searchArchive } from '../../fleet/archive/search.ts';
import { LONGEST_NAME, shortMachineId } from '../../fleet/machine.ts';
import { fleetEventOf } from '../../fleet/machines/fleet-event.ts';
import { shownText } from '../../fleet/shown-text.ts';
import { toBrief } from '../../history/calls/event-brief.ts';
import { counted } from '../../model/text.ts';
import { toPublicEvent } from '../../store/read/public-event.ts';
import { usage } from '../command.ts';
import { limitOf } from '../filters.ts';
import { sinceOf } from '../values.ts';
import { type DatabaseOptions, withArchive } from './database.ts';
import { fleetLines } from './events.ts';
import { type FilterOptions, filtersOf } from './filters.ts';

type SearchOptions = DatabaseOptions & FilterOptions & { readonly since?: string };

/** Searches the records of all machines, newest first. */
export async function searchFleet(words: string, options: SearchOptions): Promise<number> {
  const query = queryFrom(words.trim(), options);
  const { hits, unreadable } = await withArchive(options, (db) => searchArchive(db, query));
  for (const line of options.json ? hits.map(jsonLine) : hitLines(hits)) console.log(line);
  if (unreadable > 0)
    console.error(
      `${counted(unreadable, 'record')} can't be shown because a newer Hookline wrote them. Update Hookline.`,
    );
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
    throw usage(
      'fleet',
      'Missing search text. Give words or a filter, such as `hookline fleet search npm publish`.',
    );
  return { text, limit: limitOf('fleet', limit, 20), ...filters };
}

const jsonLine = ({ machine, event }: ArchiveHit) => JSON.stringify({ machine, ...toPublicEvent(event) });

function hitLines(hits: readonly ArchiveHit[]): readonly string[] {
  if (hits.length === 0) return ['No matches in the archive.'];
  const names = new Map(hits.map(({ machine: { id, name } }) => [id, name]));
  const events = hits.map(({ machine, event }) => fleetEventOf(toBrief(event), machine.id, event.row));
  return fleetLines(events, (id) => shownText(names.get(id) ?? shortMachineId(id), LONGEST_NAME));
}
