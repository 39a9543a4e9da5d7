import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readHistory } from '../../client/history.ts';
import { fingerprint, readAudit } from '../../history/audit.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { readIfExists } from '../../platform/files.ts';
import { START } from '../../store/chain/chain.ts';
import { readChainHead } from '../../store/chain/head.ts';
import { machinePublicKey } from '../../store/chain/machine-key.ts';
import { countUnlinked } from '../../store/chain/read-chain.ts';
import { type ChainReport, verifyChain, verifyStore } from '../../store/chain/verify-chain.ts';
import { openStore } from '../../store/database/open.ts';
import { type ForeignPart, foreignParts } from '../../store/database/schema.ts';
import { defineCommand, flag } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'verify',
  summary: 'Check the history, or a file from `export --range`, for tampering.',
  words: '[file]',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline history verify', 'exits with 1 if events were changed or are missing'],
    ['hookline history verify audit.jsonl', 'a file that was exported elsewhere'],
  ],
  async run({ json }, [file]) {
    const { report, key, unlinked } = file === undefined ? await ownRecord() : exported(file);
    if (json) console.log(JSON.stringify({ ...report, unlinked, key: fingerprint(key) }));
    else console.log(lines(report, unlinked, key).join('\n'));
    return isWhole(report) ? 0 : 1;
  },
});

interface Verified {
  readonly report: ChainReport;
  readonly key: KeyObject;
  /** Events from before the audit chain. */
  readonly unlinked: number;
}

async function ownRecord(): Promise<Verified> {
  const paths = homePaths();
  // Read before the rest, so that events recorded in the meantime don't count as missing.
  const noted = readChainHead(paths.chainHead) ?? START;
  const foreign = foreignPartsAt(paths.database);
  return await readHistory(paths, (db) => {
    const key = machinePublicKey(paths);
    return { report: verifyStore(db, key, noted, foreign), key, unlinked: countUnlinked(db) };
  });
}

/** Recording the spool also removes these, so they are read first. */
function foreignPartsAt(path: string): readonly ForeignPart[] {
  if (!existsSync(path)) return [];
  try {
    const db = openStore(path, { readonly: true });
    try {
      return foreignParts(db);
    } finally {
      db.close();
    }
  } catch {
    // A damaged database is reported when it is opened for the rest.
    return [];
  }
}

function exported(file: string): Verified {
  const text = readIfExists(file);
  if (text === null) throw new HooklineError('NOT_FOUND', `File not found: ${file}.`);
  const { after, key, items } = readAudit(text);
  return { report: verifyChain(items, after, key), key, unlinked: 0 };
}

const MOST_SHOWN = 10;

const isWhole = ({ problems, lost }: ChainReport): boolean => problems.length === 0 && lost === 0;

/** The first line: what a reader must know. */
function headline(report: ChainReport): string {
  const { records, deleted, lost, cut, problems } = report;
  if (isWhole(report))
    return `${paint.green('No tampering found:')} ${counted(records, 'record')} checked, ${deleted} deleted on purpose.`;
  const gone = lost + cut;
  const isChanged = problems.length > (cut > 0 ? 1 : 0);
  const said = [
    ...(isChanged ? ['Tampering detected.'] : []),
    ...(gone > 0
      ? [
          `${counted(gone, 'record')} ${gone === 1 ? 'is' : 'are'} missing: the database was damaged, or an older copy was restored.`,
        ]
      : []),
  ];
  const [first] = problems;
  return `${paint.red(said.join(' '))}${first ? ` First broken link: ${first.link}:` : ''}`;
}

function lines(report: ChainReport, unlinked: number, key: KeyObject): readonly string[] {
  const { lost, lastLink, signedTo, problems } = report;
  const shown = problems.slice(0, MOST_SHOWN).map(({ message }) => `  ${message}`);
  const more = problems.length - shown.length;
  const unsigned = lastLink - signedTo;
  return [
    headline(report),
    ...shown,
    ...(more > 0 ? [`  and ${counted(more, 'problem')} more (--json has all)`] : []),
    ...(lost > 0
      ? ['Run `hookline history recover` to restore what is readable in the damaged database.']
      : []),
    `Signed up to link ${signedTo} of ${lastLink}, with the key ${fingerprint(key)}.`,
    ...(unsigned > 0
      ? [paint.dim(`The last ${counted(unsigned, 'link')} can be checked but are not signed yet.`)]
      : []),
    ...(unlinked > 0
      ? [paint.dim(`${counted(unlinked, 'event')} from before the audit chain existed.`)]
      : []),
  ];
}
