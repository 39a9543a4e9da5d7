import * as v from 'valibot';
import { readIfExists, writePrivateFile } from '../platform/files.ts';

/** Hooks that have ever returned deny or ask. */
export interface GuardHooks {
  has(name: string): boolean;
  add(name: string): void;
}

const names = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** Kept in memory only. */
export function createGuardHooks(): GuardHooks {
  const known = new Set<string>();
  return { has: (name) => known.has(name), add: (name) => void known.add(name) };
}

/**
 * Kept in a file too, because a guard stays one after a restart. While the file is unreadable, every hook counts as
 * one.
 */
export function openGuardHooks(file: string): GuardHooks {
  const known = read(file);
  if (!known) return { has: () => true, add: () => {} };
  return {
    has: (name) => known.has(name),
    add(name) {
      if (known.has(name)) return;
      known.add(name);
      // A forwarder without a daemon may have added one.
      for (const other of read(file) ?? []) known.add(other);
      write(file, [...known].sort());
    },
  };
}

function read(file: string): Set<string> | null {
  try {
    const text = readIfExists(file);
    return text === null ? new Set() : new Set(v.parse(names, text));
  } catch {
    return null;
  }
}

function write(file: string, known: readonly string[]): void {
  try {
    writePrivateFile(file, `${JSON.stringify(known)}\n`);
  } catch {
    // A full disk must not cost the call its denial; until a restart the guard is known anyway.
  }
}
