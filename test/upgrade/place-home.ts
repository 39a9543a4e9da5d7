import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { scratchFolder } from '../support/scratch.ts';
import { FILES, ROOT } from './scenario.js';

// A home is full of paths, and of hashes of what has paths in it. What is here knows the formats of the versions that
// wrote the homes, and takes nothing from today's code: it would agree with a change that loses something.

const HOMES = fileURLToPath(new URL('./homes/', import.meta.url));

/** The folders of `homes/`, each written by another version. */
export const WRITTEN_BY: readonly string[] = readdirSync(HOMES);

/** Before records were signed, answers needed a key, and grants and files were kept with the place they were for. */
export const isUnsigned = (version: string): boolean => version === '0.1.0-unsigned';

interface PlacedHome {
  /** The user's home folder. */
  readonly user: string;
  readonly root: string;
  readonly shop: string;
  /** What a settings file of an agent was before the old version was set up; null where there was none. */
  before(path: string): string | null;
  read(path: string): string | null;
}

/** Puts a home into a scratch folder as if it had been written there. */
export function placeHome(version: string): PlacedHome {
  const user = join(scratchFolder(), 'user');
  const root = join(user, '.hookline');
  const shop = join(user, 'shop');
  mkdirSync(join(shop, '.git'), { recursive: true, mode: 0o700 });
  writeFileSync(join(shop, '.git', 'HEAD'), FILES['shop/.git/HEAD']);
  const from = join(HOMES, version, 'user');
  const moved = (text: string) =>
    text.replaceAll(new RegExp(`${ROOT}/shop:\\d+:\\d+`, 'g'), identity(shop)).replaceAll(ROOT, user);
  for (const path of filesIn(from)) {
    mkdirSync(dirname(join(user, path)), { recursive: true, mode: 0o700 });
    if (path.endsWith('.db')) cpSync(join(from, path), join(user, path));
    else writeFileSync(join(user, path), moved(read(from, path) ?? ''), { mode: 0o600 });
  }
  trustCodexHooks(from, user);
  for (const path of filesIn(user)) {
    if (path.startsWith('.hookline/setup/')) placeJournal(from, user, path);
    if (path.startsWith('.hookline/last-good/')) placeLastGood(user, path);
  }
  placeForwarder(root);
  return {
    user,
    root,
    shop,
    before: (path) => read(join(HOMES, version, 'before'), path),
    read: (path) => read(user, path),
  };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

function read(folder: string, path: string): string | null {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return null;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Which folder a grant was given in. */
function identity(folder: string): string {
  const { ino, birthtimeNs } = statSync(folder, { bigint: true });
  return `${realpathSync.native(folder)}:${ino}:${birthtimeNs}`;
}

/** The programs themselves are not kept: an update leaves one in its place. */
function placeForwarder(root: string): void {
  mkdirSync(join(root, 'bin'), { mode: 0o700 });
  writeFileSync(join(root, 'bin', 'hookline-forward'), '#!/bin/sh\n', { mode: 0o755 });
}

const noted = v.looseObject({ path: v.string(), afterHash: v.string() });

/** A note of setup is named after the path of the settings, and has the hash of what was written there. */
function placeJournal(from: string, user: string, path: string): void {
  const note = v.parse(noted, JSON.parse(read(user, path) ?? ''));
  const settings = note.path.slice(user.length + 1);
  if (sha256(read(from, settings) ?? '') !== note.afterHash)
    throw new Error(`${settings} is not what setup wrote`);
  const placed = { ...note, afterHash: sha256(read(user, settings) ?? '') };
  writeNamedByPath(user, path, placed, `${JSON.stringify(placed, null, 2)}\n`);
}

const kept = v.object({ path: v.string(), hash: v.string(), files: v.record(v.string(), v.string()) });

function placeLastGood(user: string, path: string): void {
  const { files, path: of } = v.parse(kept, JSON.parse(read(user, path) ?? ''));
  const placed = { path: of, hash: sha256(JSON.stringify(files)), files };
  writeNamedByPath(user, path, placed, `${JSON.stringify(placed)}\n`);
}

function writeNamedByPath(user: string, file: string, of: { readonly path: string }, text: string): void {
  writeFileSync(join(user, file), text);
  renameSync(join(user, file), join(user, dirname(file), `${sha256(of.path).slice(0, 32)}.json`));
}

const hooks = v.object({
  hooks: v.record(
    v.string(),
    v.array(
      v.object({
        matcher: v.optional(v.string()),
        hooks: v.array(v.object({ type: v.literal('command'), command: v.string(), timeout: v.number() })),
      }),
    ),
  ),
});

/** Codex runs a hook only while its settings have the hash of it, of which the command is a part. */
function trustCodexHooks(from: string, user: string): void {
  const [before, after] = [from, user].map((folder) => codexHashes(read(folder, '.codex/hooks.json') ?? ''));
  const file = join(user, '.codex/config.toml');
  const place = (text: string, hash: string, at: number) => {
    if (!text.includes(hash)) throw new Error(`${file} does not have the hash ${hash}`);
    return text.replaceAll(hash, after?.[at] ?? '');
  };
  writeFileSync(file, (before ?? []).reduce(place, readFileSync(file, 'utf8')));
}

function codexHashes(text: string): readonly string[] {
  return Object.entries(v.parse(hooks, JSON.parse(text)).hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: [hook] }) => {
      const entry = { async: false, command: hook?.command, timeout: hook?.timeout, type: 'command' };
      const name = event.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
      return sha256(JSON.stringify({ event_name: name, hooks: [entry], ...(matcher ? { matcher } : {}) }));
    }),
  );
}
