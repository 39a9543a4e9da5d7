import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../../test/support/history/history.ts';
import { type SearchQuery, search } from './search.ts';
import { whyLine } from './why.ts';

const NOW = 1_700_000_100_000;
const DAY = 86_400_000;

function asked(...prompts: readonly string[]) {
  const history = openTestHistory();
  prompts.forEach((prompt, at) => {
    for (const payload of turn(`s${at}`, prompt)) history.send('claude', payload, NOW - (50 - at) * DAY);
  });
  history.observe();
  return (query: SearchQuery) => search(history.db, query, NOW);
}

test('all words come before some, and words together before words apart', () => {
  const find = asked(
    'The retry of the queue, and then the mail',
    'Look at the retry',
    'The retry queue is stuck',
    'Something else',
  );
  expect(find({ text: 'retry queue' }).map(({ sessionId }) => sessionId)).toEqual(['s2', 's0', 's1']);
});

test('a hit says which words it has, which it has others for, and which it lacks', () => {
  const find = asked('Fix the login of admins');
  const [hit] = find({ text: 'fixing the sign in of xylophones' });
  expect(hit?.why).toMatchObject({ found: ['fixing'], similar: ['sign'], missing: ['xylophones'] });
  expect(hit && whyLine(hit.why)).toBe(
    'matches fixing; similar words for sign in prompt, outcome, files; without xylophones',
  );
});

test('newer turns win between equals only', () => {
  const find = asked('Rotate the signing key', 'Rotate the signing key', 'Rotate it');
  expect(find({ text: 'rotate signing key' }).map(({ sessionId }) => sessionId)).toEqual(['s1', 's0', 's2']);
});

test('a turn is one hit, or as many as are wanted of it', () => {
  const find = asked('Run the test');
  expect(find({ text: 'test' })).toHaveLength(1);
  expect(find({ text: 'test', ofTurn: 9 }).map(({ observation }) => observation.kind)).toEqual(
    expect.arrayContaining(['intent', 'command', 'turn_end']),
  );
});

test('what is in quotes has to be there', () => {
  const find = asked('Drop the table', 'The table to drop');
  expect(find({ text: '"drop the table"' }).map(({ sessionId }) => sessionId)).toEqual(['s0']);
  expect(
    find({ text: '"table" missing' })
      .map(({ sessionId }) => sessionId)
      .sort(),
  ).toEqual(['s0', 's1']);
});

/** A turn that reads so many files before it does anything else. */
function withLongTurn(reads: number) {
  const history = openTestHistory();
  const [prompt = {}, ...rest] = turn('long', 'Read it all', 'src/zebrafish.ts');
  history.send('claude', prompt, NOW - DAY);
  const common = { session_id: 'long', transcript_path: '', cwd: '/project' };
  for (let at = 0; at < reads; at++) {
    const tool = { tool_name: 'Read', tool_input: { file_path: `/project/f${at}` }, tool_use_id: `r${at}` };
    const read = { ...common, hook_event_name: 'PostToolUse', ...tool, tool_response: {} };
    history.send('claude', read, NOW - DAY);
  }
  for (const payload of rest) history.send('claude', payload, NOW - DAY);
  return history;
}

test('the kind that is wanted is found in its turn, however much of other kinds is before it', () => {
  const history = withLongTurn(450);
  history.observe();
  expect(search(history.db, { text: 'npm', kind: 'command' }, NOW)).toMatchObject([
    { observation: { kind: 'command' }, turn: { prompt: 'Read it all' } },
  ]);
});

test('what is wanted is found where the turns that have the words have nothing of it', () => {
  const history = withLongTurn(1_010);
  for (const payload of turn('talk', 'Tell me about the zebrafish')) history.send('claude', payload, NOW);
  history.observe();
  const files = (query: Omit<SearchQuery, 'text'>) =>
    search(history.db, { text: 'zebrafish', ...query }, NOW).map(({ sessionId }) => sessionId);
  expect(files({ kind: 'file' })).toEqual(['long']);
  expect(files({ file: '**/zebrafish.ts' })).toEqual(['long']);
});
