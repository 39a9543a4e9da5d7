import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import { entryOf } from '../../model/lookup.ts';
import { listNames, readRegularFile, readRegularText } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';
import type { Rule } from '../rule.ts';

/** Projects that a person has read and trusts, each with the hash of what was read. */
const trusted = v.record(v.string(), v.string());

/** More than anyone reads before trusting it. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 1 << 20;
const MAX_DEPTH = 8;

interface ProjectFiles {
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
  /** Why the project can't be trusted as it is; null if it can. */
  readonly problem: string | null;
}

/** Everything in a project that Hookline would obey. One unreadable file means that the project can't be trusted. */
export function readProject(project: string): ProjectFiles {
  const files: { path: string; content: Buffer }[] = [];
  try {
    const problem = collect(join(project, '.hookline'), project, files, 0);
    return { files, problem };
  } catch (error) {
    return { files, problem: messageOf(error) };
  }
}

function collect(
  path: string,
  project: string,
  files: { path: string; content: Buffer }[],
  depth: number,
): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isDirectory()) {
    if (files.length === MAX_FILES) return `${project} has more than ${MAX_FILES} files in .hookline`;
    const read = readRegularFile(path, { within: project, maxBytes: MAX_FILE_BYTES });
    if ('refused' in read) return `${path}: ${read.refused}`;
    files.push({ path, content: read.content });
    return null;
  }
  const names = depth > MAX_DEPTH ? null : listNames(path, MAX_FILES);
  if (!names) return `${path} is too deep, or has more than ${MAX_FILES} files`;
  for (const name of names) {
    const problem = collect(join(path, name), project, files, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** One hash over names and contents: any added, changed or removed file ends trust. */
export function projectHash(project: string, { files } = readProject(project)): string {
  const hash = createHash('sha256');
  for (const { path, content } of files)
    hash.update(`${path.slice(project.length)}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}

export function readTrust(file: string): Readonly<Record<string, string>> {
  try {
    const parsed = v.safeParse(trusted, JSON.parse(readRegularText(file)));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}

export function isTrusted(project: string, file: string): boolean {
  const pinned = entryOf(readTrust(file), project);
  if (pinned === undefined) return false;
  const found = readProject(project);
  return found.problem === null && pinned === projectHash(project, found);
}

export function setTrust(project: string, hash: string | null, file: string): void {
  const { [project]: _, ...others } = readTrust(file);
  const next = hash === null ? others : { ...others, [project]: hash };
  writePrivateFile(file, `${JSON.stringify(next, null, 2)}\n`);
}

/**
 * What a project may do before it is trusted: deny and ask with its own words, and nothing else. Regular expressions
 * are excluded, because one that never ends would block the user's own rules.
 */
export function untrusted(rules: readonly Rule[]): readonly Rule[] {
  return onlyTightening(rules.filter(({ expressive }) => !expressive));
}

/** The deny and ask rules, reduced to that. */
export function onlyTightening(rules: readonly Rule[]): readonly Rule[] {
  return rules
    .filter(({ response }) => response.decision === 'deny' || response.decision === 'ask')
    .map(({ response: { decision, reason }, ...rule }) => ({
      ...rule,
      response: reason === undefined ? { decision } : { decision, reason },
    }));
}
