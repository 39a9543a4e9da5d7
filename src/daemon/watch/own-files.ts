import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { HomePaths } from '../../home/paths.ts';
import { fileStamp } from '../../platform/files.ts';

/** Reports which of the relevant files changed since the last check: settings, rules and hooks. */
export interface OwnFiles {
  /** For display: `config.yaml was changed`. */
  changes(): readonly string[];
  /** The latest change was made through the daemon, so it isn't reported. */
  accept(): void;
}

/** Larger directories are checked only up to this number. */
const MOST_FILES = 500;

export function watchOwnFiles(paths: HomePaths): OwnFiles {
  let known = stampsIn(paths);
  return {
    accept() {
      known = stampsIn(paths);
    },
    changes() {
      const now = stampsIn(paths);
      const before = known;
      known = now;
      const names = [...new Set([...before.keys(), ...now.keys()])].sort();
      return names.flatMap((name) => {
        const [was = '', is = ''] = [before.get(name), now.get(name)];
        if (was === is) return [];
        return `${name} was ${was === '' ? 'added' : is === '' ? 'deleted' : 'changed'}`;
      });
    },
  };
}

function stampsIn({ root, config, hooksFile, rules, hooks }: HomePaths): ReadonlyMap<string, string> {
  const files = [config, hooksFile, ...[rules, hooks].flatMap(filesIn)];
  return new Map(files.map((path) => [relative(root, path), fileStamp(path)]));
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return names.slice(0, MOST_FILES).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}
