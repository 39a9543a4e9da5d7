import { readObserved } from '../../client/observed.ts';
import { listItems } from '../../history/calls/list-calls.ts';
import { rowOf } from '../../history/calls/row.ts';
import { OBSERVATION_KINDS } from '../../history/observations/observation.ts';
import { type SearchHit, type SearchQuery, search } from '../../history/search/search.ts';
import { type FoundRow, rowsFound } from '../../history/search/search-rows.ts';
import { whyLine } from '../../history/search/why.ts';
import { homePaths } from '../../home/paths.ts';
import { clockTime, dayOf, oneLine } from '../../model/text.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import {
  FATE_OPTIONS,
  fatesOf,
  limitOf,
  nothingThere,
  readTimes,
  WHERE_OPTIONS,
  whereOf,
} from '../filters.ts';
import { paint } from '../output/paint.ts';
import { rowLine } from '../output/row-line.ts';

/** A call has several observations, and each may be a hit. */
const HITS_A_CALL = 5;
/** Of a turn, where only some of its calls are wanted. */
const HITS_OF_TURN = 20;

export default defineCommand({
  name: 'search',
  summary: 'Search prompts, commands, changes, replies and errors, best match first.',
  words: '<words…>',
  options: {
    ...WHERE_OPTIONS,
    ...FATE_OPTIONS,
    file: value('PATTERN', 'Only turns that touched a matching file.'),
    kind: value('KIND', `Only ${OBSERVATION_KINDS.slice(1, 6).join(', ')}, …`),
    limit: value('N', 'Show at most N (default: 20).'),
    json: flag('One JSON object per line.'),
  },
  examples: [
    ["hookline search 'auth bug' --agent codex --since 7d", 'what one agent did about it'],
    ["hookline search migrate --file 'src/**'", 'in turns that touched files under src'],
    ['hookline search --denied --since yesterday', 'no words: everything that matches the filters'],
    ['hookline search \'"exit code 1" deploy*\'', 'exact phrases and prefixes'],
  ],
  async run({ file, kind, limit, json, ...filters }, words) {
    const text = words.join(' ').trim();
    const wanted = OBSERVATION_KINDS.find((one) => one === kind);
    if (kind !== undefined && wanted === undefined) {
      throw usage('search', `Unknown kind "${kind}". Use one of: ${OBSERVATION_KINDS.join(', ')}.`);
    }
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    if (text === '' && (!isFiltered || json || file !== undefined || kind !== undefined))
      throw usage(
        'search',
        'Missing search text. Give words or a filter, such as `hookline search npm publish`.',
      );
    const now = Date.now();
    readTimes('search', filters, now);
    const most = limitOf('search', limit, 20);
    const lines = await readObserved(homePaths(), (db) => {
      const where = whereOf('search', db, filters, now);
      const fates = fatesOf(filters);
      const query: SearchQuery = {
        text,
        ...where,
        ...(file === undefined ? {} : { file }),
        ...(wanted === undefined ? {} : { kind: wanted }),
      };
      if (json) return search(db, { ...query, limit: most }, now).map((hit) => JSON.stringify(toJson(hit)));
      const found =
        text === ''
          ? listItems(db, { ...where, fates, limit: most }, now).map((item) => rowLine(rowOf(item)))
          : rowsFound(
              db,
              search(
                db,
                { ...query, limit: most * HITS_A_CALL, ofTurn: fates.length > 0 ? HITS_OF_TURN : 1 },
                now,
              ),
              now,
              fates,
            )
              .slice(0, most)
              .map((one) => linesOf(one, now));
      return found.length > 0 ? found : [nothingThere(db, 'call', { ...filters, file, kind }, text)];
    });
    for (const line of lines) console.log(line);
    return 0;
  },
});

function toJson({ row: _, body: __, subject: ___, ...hit }: SearchHit): object {
  return { ...hit, timestamp: new Date(hit.timestamp).toISOString() };
}

const LONGEST_PROMPT = 80;

/** The row of the call, the matching text in it, and why it was found. */
function linesOf({ hit, row }: FoundRow, now: number): string {
  const day = dayOf(hit.timestamp);
  const head = row
    ? rowLine(row)
    : terminalLine(`${clockTime(hit.timestamp)} ${hit.source.padEnd(6)} ${hit.observation.kind}`);
  const prompt = hit.observation.kind === 'intent' ? '' : oneLine(hit.turn.prompt, LONGEST_PROMPT);
  const about = [...(prompt === '' ? [] : [`prompt: ${prompt}`]), whyLine(hit.why)].join(' · ');
  return [
    `${day === dayOf(now) ? '' : `${paint.dim(day)} `}${head}`,
    terminalLine(marked(hit)),
    paint.dim(terminalLine(about)),
  ].join('\n  ');
}

function marked({ snippet: { text, marks } }: SearchHit): string {
  let shown = '';
  let last = 0;
  for (const [start, end] of marks) {
    shown += text.slice(last, start) + paint.bold(text.slice(start, end));
    last = end;
  }
  return shown + text.slice(last);
}
