import { randomBytes } from 'node:crypto';
import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { recordChange } from '../../client/record-change.ts';
import { requireAccess } from '../../client/require-access.ts';
import { type Proposal, proposals } from '../../history/replay/learn.ts';
import { recordedCalls } from '../../history/replay/recorded-calls.ts';
import { grantSurroundings, openHomeGrants } from '../../home/engine.ts';
import type { HomePaths } from '../../home/paths.ts';
import { readIfExists } from '../../platform/files.ts';
import { whoDecides } from '../../platform/user-name.ts';
import { folded } from '../../terminal/fold.ts';
import { confirmedHere, isAtTerminal } from '../confirm.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import { countOf } from '../values.ts';

const OFTEN = 3;

interface LearnOptions {
  readonly since: number;
  readonly times: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
  /** Who was let through; empty if suggestions are only shown, and for a terminal, until one is accepted. */
  readonly by: string;
}

/** Suggests grants for calls that users keep allowing, and creates those that they accept. */
export async function learn(
  paths: HomePaths,
  { since, times, yes, json, by }: LearnOptions,
): Promise<number> {
  const often = countOf('rules', 'times', times, OFTEN, 2);
  const grants = openHomeGrants(paths);
  const found = await readHistory(paths, (db) =>
    proposals(recordedCalls(db, { since }), {
      agents: AGENTS,
      grants: grants.list(),
      around: grantSurroundings(),
      times: often,
      newId: () => randomBytes(4).toString('hex'),
    }),
  );
  if (json) for (const one of found) console.log(JSON.stringify(one));
  else if (found.length === 0)
    console.log(`No suggestions: no call was allowed ${often} times and never denied.`);
  const isAsking = !yes && !json && isAtTerminal();
  for (const one of found) {
    const grant = { ...one.grant, by: `${whoDecides()}, after ${one.grant.by}` };
    if (!json) console.log(lines(one).join('\n'));
    // Suggestions alone need no person; accepting one does.
    if (!yes && !isAsking) continue;
    if (!json) {
      const before = readIfExists(paths.grants);
      const after = `${JSON.stringify([...grants.list(), grant], null, 2)}\n`;
      console.log(editLines({ path: paths.grants, before, after }).join('\n'));
    }
    if (isAsking && !(await confirmedHere('Create this grant?'))) continue;
    const who = by || (await requireAccess(paths, 'rules'));
    grants.add(grant);
    await recordChange(paths, 'rules', who, `granted ${grant.text} (${grant.id}), learned from the history`);
    if (!json)
      console.log(
        `${paint.green('Granted')} ${grant.id}. Run \`hookline grants revoke ${grant.id}\` to revoke it.`,
      );
  }
  if (found.length > 0 && !yes && !json && !isAsking)
    console.log(folded('Run `hookline rules learn` in a terminal to create grants.'));
  return 0;
}

function lines({ grant, times, examples, nearMisses }: Proposal): string[] {
  const where = grant.scope === 'always' ? 'everywhere' : `in ${grant.cwd}`;
  return [
    `${paint.bold(grant.text)}  allowed ${times} times, ${where}`,
    ...examples.map((one) => `  ${paint.green('covers')}      ${one}`),
    ...nearMisses.map((one) => `  ${paint.red('still needs approval')}  ${one}`),
  ];
}
