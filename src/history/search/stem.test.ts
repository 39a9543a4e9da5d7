import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../store/database/driver.ts';
import { stem } from './stem.ts';

const WORDS = `
  caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling
  hissing fizzed failing filing happy sky relational conditional rational valency hesitancy digitizer conformably radically
  differently vilely analogously vietnamization predication operator feudalism decisiveness hopefulness callousness formality
  sensitivity sensibility triplicate formative formalize electricity electrical hopeful goodness revival allowance inference
  airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologous communism activate
  angularity effective bowdlerize probate rate cease controlling roll database databases timeouts retries retried idempotency
  authentication authorization migrations indexes caching cached queries yyyy eyes as is on
`;

test('words have the stems that the full-text index gives them', () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec(`CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE stems USING fts5vocab (words, 'instance')`);
  const words = WORDS.trim().split(/\s+/);
  const insert = db.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)');
  for (const [at, word] of words.entries()) insert.run(at, word);
  const indexed = db.prepare('SELECT doc, term FROM stems').all();
  expect(indexed).toHaveLength(words.length);
  for (const { doc, term } of indexed) {
    const word = words[Number(doc)] ?? '';
    expect([word, stem(word)]).toEqual([word, term]);
  }
});
