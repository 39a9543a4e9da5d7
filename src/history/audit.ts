import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { HooklineError } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import { type Link, START } from '../store/chain/chain.ts';
import { type ChainItem, hashBefore, type LinkRange, readChain } from '../store/chain/read-chain.ts';
import type { Database } from '../store/database/driver.ts';
import { EVENT_COLUMNS } from '../store/read/event-columns.ts';

const link = v.pipe(v.number(), v.integer(), v.minValue(0));
const signed = { hash: v.string(), at: v.number(), signature: v.string() };

const headerLine = v.object({
  kind: v.literal('range'),
  first: link,
  /** Hash before the first link. */
  before: v.string(),
  key: v.string(),
  columns: v.array(v.string()),
});

const itemLine = v.variant('kind', [
  v.object({
    kind: v.literal('record'),
    link,
    hash: v.string(),
    values: v.array(v.nullable(v.union([v.string(), v.number()]))),
  }),
  v.object({ kind: v.literal('gap'), first: link, last: link, reason: v.string(), ...signed }),
  v.object({ kind: v.literal('checkpoint'), link, ...signed }),
]);

/** A part of the chain for an auditor without the store or Hookline: one JSON object per line, all in ASCII. */
export function* auditLines(db: Database, range: LinkRange, key: KeyObject): Generator<string> {
  const { first } = range;
  const before = first === 1 ? START.hash : hashBefore(db, first);
  if (before === null)
    throw new HooklineError('NOT_FOUND', `There is no link ${first - 1} for the range to start after.`, {
      hint: 'Run `hookline history verify` to see the links.',
    });
  const pem = key.export({ type: 'spki', format: 'pem' });
  yield ascii({ kind: 'range', first, before, key: pem, columns: EVENT_COLUMNS });
  for (const item of readChain(db, range)) yield ascii(item);
}

/** Escaped, not replaced, because control characters must keep their hash. */
function ascii(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An exported part of the chain. */
interface Audit {
  readonly after: Link;
  readonly key: KeyObject;
  readonly items: readonly ChainItem[];
}

/** Throws USAGE if a file isn't such an export. */
export function readAudit(text: string): Audit {
  const [first = '', ...others] = text.split('\n').filter((line) => line !== '');
  const header = v.safeParse(headerLine, parseJson(first));
  if (!header.success) throw notAnAudit(1);
  const items = others.map((line, at): ChainItem => {
    const item = v.safeParse(itemLine, parseJson(line));
    if (!item.success) throw notAnAudit(at + 2);
    return item.output;
  });
  const { first: begin, before, key } = header.output;
  return { after: { link: begin - 1, hash: before }, key: createPublicKey(key), items };
}

function notAnAudit(line: number): HooklineError {
  return new HooklineError('USAGE', `Line ${line} is not from \`hookline history export --range\`.`);
}

/** A key in a form for comparison by people. */
export function fingerprint(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`;
}
