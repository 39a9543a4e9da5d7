import { setImmediate as letOthersRun } from 'node:timers/promises';
import { MOST_OWN_BYTES } from '../../platform/bounded-files.ts';
import { parseRules } from '../../rules/files/load.ts';
import { failedWithin } from '../../rules/review/examples.ts';
import type { PolicyDocument, PolicyFiles } from './document.ts';

/** Time limit for the examples of one rule. */
const EXAMPLES_MS = 2_000;

/** Why rules can't be applied: an invalid file, or a failing example. Null if there is no problem. */
async function problemWithFiles(files: PolicyFiles): Promise<string | null> {
  for (const [name, text] of Object.entries(files)) {
    const { rules, problems } = parseRules(text, name);
    const [problem] = problems;
    if (problem) return `${problem.where}: ${problem.message}`;
    for (const rule of rules) {
      const [failed] = failedWithin(rule, EXAMPLES_MS);
      if (failed)
        return `${rule.where}: rule ${rule.id} should ${failed.wanted} ${failed.example}${failed.problem === null ? '' : ` (${failed.problem})`}`;
      // Lets calls be answered in between.
      await letOthersRun();
    }
  }
  return null;
}

/** For what is stored with it: team, keys, signature. */
const KEPT_BYTES = 4 << 10;

export async function problemWith(document: PolicyDocument): Promise<string | null> {
  // As text within a text, which is how machines store it.
  const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(document)));
  const most = MOST_OWN_BYTES - KEPT_BYTES;
  if (bytes > most) return `the rules take ${bytes} bytes in total; the limit is ${most}`;
  for (const { files, before } of document.sets) {
    const problem = (await problemWithFiles(files)) ?? (await problemWithFiles(before ?? {}));
    if (problem !== null) return problem;
  }
  return null;
}
