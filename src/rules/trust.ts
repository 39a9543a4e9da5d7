import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Rule } from './rule.ts';

/** Which projects a person has read and trusts, each with the hash of what was read. */
const trusted = v.record(v.string(), v.string());

/** Everything in a project that Hookline would obey. */
export function projectFiles(project: string): string[] {
  const root = join(project, '.hookline');
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .sort();
}

/** One hash over names and contents: whatever is added, changed or taken away, trust ends. */
export function projectHash(project: string): string {
  const hash = createHash('sha256');
  for (const path of projectFiles(project)) {
    const content = readFileSync(path);
    hash.update(`${path.slice(project.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

export function readTrust(file: string): Readonly<Record<string, string>> {
  try {
    const parsed = v.safeParse(trusted, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}

export function isTrusted(project: string, file: string): boolean {
  const pinned = readTrust(file)[project];
  return pinned !== undefined && pinned === projectHash(project);
}

export function setTrust(project: string, hash: string | null, file: string): void {
  const { [project]: _, ...others } = readTrust(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = hash === null ? others : { ...others, [project]: hash };
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
}

/**
 * What a project may do before it is trusted: deny and ask, in its own words, and nothing else. No expressions either:
 * one that never ends would keep the user's own rules from being heard.
 */
export function untrusted(rules: readonly Rule[]): readonly Rule[] {
  return onlyTightening(rules.filter(({ expressive }) => !expressive));
}

/** The rules that forbid, and nothing of them but that. */
export function onlyTightening(rules: readonly Rule[]): readonly Rule[] {
  return rules
    .filter(({ response }) => response.decision === 'deny' || response.decision === 'ask')
    .map(({ response: { decision, reason }, ...rule }) => ({
      ...rule,
      response: reason === undefined ? { decision } : { decision, reason },
    }));
}
