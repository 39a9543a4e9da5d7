import * as v from 'valibot';
import { parse } from 'yaml';
import { type ImportedRules, type ImportNote, type RuleDraft, textDraft } from '../../model/rule-drafts.ts';

const paths = v.optional(v.nullable(v.array(v.string())), []);
const file = v.looseObject({
  bashToolPatterns: v.optional(
    v.nullable(
      v.array(
        v.looseObject({ pattern: v.string(), reason: v.optional(v.string()), ask: v.optional(v.boolean()) }),
      ),
    ),
    [],
  ),
  zeroAccessPaths: paths,
  readOnlyPaths: paths,
  noDeletePaths: paths,
});

const KEPT: readonly (readonly [
  key: 'zeroAccessPaths' | 'readOnlyPaths' | 'noDeletePaths',
  accesses: readonly ('reads' | 'writes' | 'deletes')[],
  reason: string,
])[] = [
  ['zeroAccessPaths', ['reads', 'writes', 'deletes'], "Agents can't access this path."],
  ['readOnlyPaths', ['writes', 'deletes'], 'This path is read-only.'],
  ['noDeletePaths', ['deletes'], "Agents can't delete this path."],
];

/** A `patterns.yaml`: expressions for command lines, and paths that must not be read, written or deleted. */
export function readDamageControl(text: string, path: string): ImportedRules {
  const parsed = v.safeParse(file, parse(text));
  if (!parsed.success) return { rules: [], notes: [{ what: path, why: parsed.issues[0].message }] };
  const given = parsed.output;
  const rules: RuleDraft[] = [];
  const notes: ImportNote[] = [];
  for (const [at, { pattern, reason, ask }] of (given.bashToolPatterns ?? []).entries()) {
    const rule = textDraft(pattern, ask ? 'ask' : 'deny', reason ?? 'A dangerous command.');
    if (rule) rules.push({ id: `damage-control/command-${at + 1}`, ...rule });
    else notes.push({ what: pattern, why: 'is an unsupported regular expression' });
  }
  if (rules.length > 0)
    notes.push({
      what: 'bashToolPatterns',
      why: 'still match text only; `hookline rules list --all` shows packs that analyze commands',
    });
  for (const [key, accesses, reason] of KEPT) {
    const globs = (given[key] ?? []).map(globOf);
    if (globs.length === 0) continue;
    for (const access of accesses)
      rules.push({ id: `damage-control/${key}-${access}`, [access]: globs, deny: reason });
    notes.push({ what: key, why: 'applies to every tool and command that touches these paths' });
  }
  for (const key of Object.keys(given)) {
    if (!(key in file.entries)) notes.push({ what: key, why: 'has no counterpart' });
  }
  return { rules, notes };
}

/** A name matches in any directory, and a directory includes its content. */
function globOf(path: string): string {
  const whole = path.endsWith('/') ? `${path}**` : path;
  return /^(?:~\/|\/|\*\*)/.test(whole) ? whole : `**/${whole.replace(/^\.\//, '')}`;
}
