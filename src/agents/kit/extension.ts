import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HookSource } from './imports.ts';
import { readSettings, SettingsDocument, unreadable } from './settings-json.ts';
import type { FileEdit, SetupContext } from './setup.ts';

/** The name of our extension, and of its folder. */
export const EXTENSION = 'hookline';

/** A folder of our own in which a client finds our hooks, beside the user's settings. */
export interface Extension {
  /** The file that makes the folder an extension. */
  manifestPath(context: SetupContext): string;
  /** The file that has our entries. */
  hooksPath(context: SetupContext): string;
  manifestEdit(context: SetupContext): readonly FileEdit[];
  /** The files in which extensions of others have their hooks. */
  others(context: SetupContext): readonly HookSource[];
  /** The manifest goes last: its folder is the one around the other. */
  removal(context: SetupContext, edits: readonly FileEdit[]): readonly FileEdit[];
}

const MANIFEST = `${JSON.stringify({ name: EXTENSION, version: '1.0.0', description: 'Forwards hook events to Hookline.' }, null, 2)}\n`;

/** `manifest` is what the client calls that file; `userFolder` has its settings and extensions. */
export function extension(manifest: string, userFolder: (context: SetupContext) => string): Extension {
  const folder = (context: SetupContext) => join(userFolder(context), 'extensions', EXTENSION);
  const manifestPath = (context: SetupContext) => join(folder(context), manifest);
  return {
    manifestPath,
    hooksPath: (context) => join(folder(context), 'hooks', 'hooks.json'),
    manifestEdit(context) {
      if (context.scope !== 'extension') return [];
      const path = manifestPath(context);
      const before = readSettings(path);
      if (before === null) return [{ path, before, after: MANIFEST }];
      if (new SettingsDocument(before, { path }).get(['name']) === EXTENSION) return [];
      throw unreadable(path, 'belongs to another extension');
    },
    others(context) {
      const parent = join(userFolder(context), 'extensions');
      try {
        const names = readdirSync(parent).filter((name) => name !== EXTENSION);
        return names
          .sort()
          .map((name) => ({ path: join(parent, name, 'hooks', 'hooks.json'), project: null }));
      } catch {
        return [];
      }
    },
    removal(context, edits) {
      if (context.scope !== 'extension') return edits;
      const path = manifestPath(context);
      const own = readSettings(path) === MANIFEST ? [{ path, before: MANIFEST, after: null }] : [];
      return [...edits.map((edit) => ({ ...edit, after: isEmpty(edit.after) ? null : edit.after })), ...own];
    },
  };
}

function isEmpty(json: string | null): boolean {
  return Object.keys(JSON.parse(json?.replace('\uFEFF', '').trim() || '{}')).length === 0;
}
