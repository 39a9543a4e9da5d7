import { readObserved } from '../../client/observed.ts';
import { OBSERVATION_KINDS } from '../../history/observation.ts';
import { type SearchHit, type SearchQuery, search } from '../../history/search.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { minuteOf } from '../../model/text.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { defineCommand, usage } from '../command.ts';
import { paint } from '../paint.ts';
import { countOf, sinceOf, sinceOption } from '../values.ts';

export default defineCommand({
  name: 'search',
  summary: 'Find what was asked, run, changed, said and what went wrong, the best hits first.',
  words: '<words…>',
  options: {
    agent: { type: 'string', value: 'A', description: 'Only this agent.' },
    session: { type: 'string', value: 'ID', description: 'Only this session.' },
    since: sinceOption('all'),
    file: { type: 'string', value: 'PATTERN', description: 'Only turns that touched such a file.' },
    kind: {
      type: 'string',
      value: 'KIND',
      description: `Only ${OBSERVATION_KINDS.slice(1, 6).join(', ')}, …`,
    },
    limit: { type: 'string', value: 'N', description: 'At most so many (20).' },
    json: { type: 'boolean', description: 'One JSON object a line.' },
  },
  examples: [
    ["hookline search 'auth bug' --agent codex --since 7d", 'what one agent did about it'],
    ["hookline search migrate --file 'src/**'", 'in turns that touched files below src'],
    ['hookline search \'"exit code 1" deploy*\'', 'words that stand together, and beginnings of words'],
  ],
  async run({ agent, session, since, file, kind, limit, json }, words) {
    const text = words.join(' ');
    if (text.trim() === '') throw usage('search', 'What is to be found?');
    const wanted = OBSERVATION_KINDS.find((one) => one === kind);
    if (kind !== undefined && wanted === undefined) {
      throw usage('search', `There is no kind "${kind}". There are: ${OBSERVATION_KINDS.join(', ')}.`);
    }
    const now = Date.now();
    const from = sinceOf('search', since, now);
    const query: SearchQuery = {
      text,
      limit: countOf('search', 'limit', limit, 20),
      ...(agent === undefined ? {} : { source: agent }),
      ...(session === undefined ? {} : { session }),
      ...(from === undefined ? {} : { since: from }),
      ...(file === undefined ? {} : { file }),
      ...(wanted === undefined ? {} : { kind: wanted }),
    };
    const hits = await readObserved(homePaths(homeFolder()), (db) => search(db, query, now));
    for (const hit of hits) console.log(json ? JSON.stringify(toJson(hit)) : line(hit));
    if (hits.length === 0 && !json) console.log('Nothing found.');
    return 0;
  },
});

function toJson({ row: _, body: __, subject: ___, ...hit }: SearchHit): object {
  return { ...hit, timestamp: new Date(hit.timestamp).toISOString() };
}

function line(hit: SearchHit): string {
  const when = minuteOf(hit.timestamp);
  const head = [
    paint.dim(when),
    hit.source.padEnd(7),
    paint.dim(hit.sessionId.slice(0, 8)),
    hit.observation.kind,
  ];
  return `${terminalLine(head.join(' '))}\n  ${terminalLine(marked(hit))}`;
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
