import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WRAPPER, WRAPPER_SCRIPT } from './forwarder-command.ts';
import type { HookSource } from './imports.ts';
import { readSettings, SettingsDocument, unreadable, valueIn } from './settings-json.ts';
import type { FileEdit, SetupContext } from './setup.ts';

/** The name of our extension, and of its folder. */
export const EXTENSION = WRAPPER;

/** A folder of our own in which a client finds our hooks, beside the user's settings. */
export interface Extension {
  /** The file that makes the folder an extension. */
  manifestPath(context: SetupContext): string;
  /** The file that has our entries. */
  hooksPath(context: SetupContext): string;
  /** Has the client itself put it there? Then it is the client's to change and to remove. */
  isInstalled(context: SetupContext): boolean;
  /** Is it switched off in this folder? */
  isDisabled(context: SetupContext): boolean;
  /** What adds our entries, with the folder around them; nothing where the client has its own copy of it. */
  addition(context: SetupContext, edits: () => readonly FileEdit[]): readonly FileEdit[];
  /** The files in which extensions of others have their hooks. */
  others(context: SetupContext): readonly HookSource[];
  /** The manifest goes last: its folder is the one around the other. */
  removal(context: SetupContext, edits: readonly FileEdit[]): readonly FileEdit[];
}

const MANIFEST = `${JSON.stringify({ name: EXTENSION, version: '1.0.0', description: 'Forwards hook events to Hookline.' }, null, 2)}\n`;

/** `manifest` is what the client calls that file; `userFolder` has its settings and extensions. */
export function extension(manifest: string, userFolder: (context: SetupContext) => string): Extension {
  const folder = (context: SetupContext) => {
    const place = join(userFolder(context), 'extensions', EXTENSION);
    return linkedFolder(join(place, `.${manifest.replace('.json', '-install.json')}`)) ?? place;
  };
  const isInstalled = (context: SetupContext) => existsSync(join(folder(context), WRAPPER_SCRIPT));
  const manifestPath = (context: SetupContext) => join(folder(context), manifest);
  return {
    manifestPath,
    isInstalled,
    isDisabled: (context) => isDisabledIn(join(userFolder(context), 'extensions'), context.cwd),
    hooksPath: (context) => join(folder(context), 'hooks', 'hooks.json'),
    addition(context, edits) {
      if (context.wrapped) return [];
      if (context.scope !== 'extension') return edits();
      // In a folder that the client keeps, also one that is disabled, nothing is ours to write.
      if (isInstalled(context)) return [];
      return [...manifestEdit(manifestPath(context)), ...edits()];
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
      if (isInstalled(context)) return [];
      const path = manifestPath(context);
      const own = readSettings(path) === MANIFEST ? [{ path, before: MANIFEST, after: null }] : [];
      return [...edits.map((edit) => ({ ...edit, after: isEmpty(edit.after) ? null : edit.after })), ...own];
    },
  };
}

function manifestEdit(path: string): readonly FileEdit[] {
  const before = readSettings(path);
  if (before === null) return [{ path, before, after: MANIFEST }];
  if (new SettingsDocument(before, { path }).get(['name']) === EXTENSION) return [];
  throw unreadable(path, 'belongs to another extension');
}

/** The folder of an extension that the client uses in place (`extensions link`); null for one that it copied. */
function linkedFolder(path: string): string | null {
  const source = valueIn(path, ['type']) === 'link' ? valueIn(path, ['source']) : null;
  return typeof source === 'string' ? source : null;
}

/** The last rule that matches the folder counts. A file that cannot be read counts as empty, as it does for the client. */
function isDisabledIn(extensions: string, cwd: string): boolean {
  const overrides = valueIn(join(extensions, 'extension-enablement.json'), [EXTENSION, 'overrides']);
  const here = `${cwd.replaceAll('\\', '/')}/`;
  const rules = (Array.isArray(overrides) ? overrides : []).filter((rule) => typeof rule === 'string');
  const last = rules.findLast((rule) => matchesFolder(rule.replace(/^!/, ''), here));
  return last?.startsWith('!') ?? false;
}

function matchesFolder(pattern: string, folder: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/(\/?)\*/g, '($1.*)?');
  return new RegExp(`^${escaped}$`).test(folder);
}

function isEmpty(json: string | null): boolean {
  return Object.keys(JSON.parse(json?.replace('\uFEFF', '').trim() || '{}')).length === 0;
}
