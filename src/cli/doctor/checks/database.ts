import { existsSync, statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import type { HomePaths } from '../../../home/paths.ts';
import { messageOf } from '../../../model/errors.ts';
import { counted } from '../../../model/text.ts';
import { type Link, START } from '../../../store/chain/chain.ts';
import { countLost } from '../../../store/chain/gaps.ts';
import { readChainHead } from '../../../store/chain/head.ts';
import { type Database, openDatabase } from '../../../store/database/driver.ts';
import { listSetAside } from '../../../store/repair/set-aside.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** A check reads a whole table at once. A larger database would take too long. */
const MOST_BYTES = 1 << 30;
const BUDGET_MS = 5_000;

/** Checks that the history is readable and undamaged. */
export function database({ paths }: Pick<Examined, 'paths'>): readonly Diagnosis[] {
  return [...setAside(paths.database), ...inUse(paths)];
}

/** Damaged databases that were not recovered. */
function setAside(path: string): readonly Diagnosis[] {
  return listSetAside(path).map((aside) =>
    warning(
      'database-set-aside',
      `The database was damaged and moved to ${aside}.`,
      `Run \`hookline history recover\`.`,
    ),
  );
}

function inUse({ database: path, chainHead }: HomePaths): readonly Diagnosis[] {
  if (!existsSync(path)) return [];
  if (statSync(path).size > MOST_BYTES) {
    const fix = `\`sqlite3 ${path} 'PRAGMA quick_check'\` checks it in full.`;
    return [{ level: 'ok', code: 'database-size', message: 'The history is too large to check here.', fix }];
  }
  try {
    // Read before the rest, so that events recorded in the meantime don't count as missing.
    const noted = readChainHead(chainHead) ?? START;
    const db = openDatabase(path, { readonly: true });
    try {
      return [checkTables(db, path, noted)];
    } finally {
      db.close();
    }
  } catch (error) {
    return [damaged(path, messageOf(error))];
  }
}

function checkTables(db: Database, path: string, noted: Link): Diagnosis {
  const deadline = performance.now() + BUDGET_MS;
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all()
    .map(({ name }) => String(name));
  let checked = 0;
  for (const table of tables) {
    if (performance.now() > deadline) break;
    const said = db.prepare(`PRAGMA quick_check("${table.replaceAll('"', '""')}")`).get();
    const [answer] = Object.values(said ?? {});
    if (answer !== 'ok') return damaged(path, `${table}: ${String(answer)}`);
    checked += 1;
  }
  // A database from before the audit chain has none of its tables.
  const lost = tables.includes('chain_gaps') ? countLost(db, noted) : 0;
  if (lost > 0) return incomplete(lost);
  const part = checked === tables.length ? '' : ` (${checked} of ${tables.length} tables checked)`;
  return ok('database', `The history is intact${part}.`);
}

function incomplete(lost: number): Diagnosis {
  return warning(
    'history-lost',
    `${counted(lost, 'record')} of the history ${lost === 1 ? 'is' : 'are'} missing: the database was damaged, or an older copy was restored.`,
    'Run `hookline history verify` for the details.',
  );
}

function damaged(path: string, what: string): Diagnosis {
  const found = problem(
    'database-damaged',
    `${path} is damaged: ${what.split('\n')[0]}`,
    'Run `hookline down` and `hookline up` to start a new database, then `hookline history recover`.',
  );
  return { ...found, why: "The damaged part can't be read." };
}
