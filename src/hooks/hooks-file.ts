import { messageOf } from '../model/errors.ts';
import { readRegularText } from '../platform/bounded-files.ts';
import { settledStamp } from '../platform/files.ts';
import { createLastGood, type LastGood, withLastGood } from '../platform/last-good.ts';
import { commandHook } from './command.ts';
import { type HooksFile, NO_HOOKS, type PlacedEntry, parseHooks } from './config-file.ts';
import type { Provider } from './config-schema.ts';
import { type Hook, type HookProblem, unreadable } from './hook.ts';
import { httpHook } from './http.ts';
import { createPromptMemory, type PromptMemory } from './prompts/memory.ts';
import { promptHook } from './prompts/prompt.ts';
import type { DialectOwner } from './translate.ts';

/** The hooks in hooks.yaml, which is read again when it changes. */
interface NamedHooks {
  hooks(): readonly Hook[];
  problems(): readonly HookProblem[];
}

interface Loaded {
  readonly hooks: readonly Hook[];
  readonly problems: readonly HookProblem[];
}

export function openHooksFile(
  path: string,
  dialectOwners: ReadonlyMap<string, DialectOwner>,
  changed: (names: readonly string[]) => void,
  lastGood: LastGood = createLastGood(),
): NamedHooks {
  const memory = createPromptMemory();
  let loaded: Loaded = { hooks: [], problems: [] };
  let stamp: string | null = '';

  function refresh(): void {
    const now = settledStamp(path);
    if (now !== null && now === stamp) return;
    stamp = now;
    if (now === '') lastGood.forget(path);
    const { text, file } = now === '' ? { text: null, file: NO_HOOKS } : readHooks(path);
    const before = loaded.hooks.map(({ name }) => name);
    const read = loadHooks(file, dialectOwners, memory);
    const next = isEmptied(text) ? { hooks: [], problems: [{ where: path, message: 'it is empty' }] } : read;
    if (next.problems.length === 0 && text !== null) lastGood.keep(path, { [path]: text });
    loaded = next.problems.length === 0 ? next : (ofLastGood(next.problems) ?? next);
    changed(before);
  }

  /** True if the file had hooks before. To remove them on purpose, delete the file or comment them out. */
  function isEmptied(text: string | null): boolean {
    return text?.trim() === '' && (lastGood.read(path)?.[path] ?? '').trim() !== '';
  }

  /** A typo must not remove a guard: while the file is unreadable, the last good version applies. */
  function ofLastGood([first, ...others]: readonly HookProblem[]): Loaded | null {
    const text = lastGood.read(path)?.[path];
    if (text === undefined || first === undefined) return null;
    const { hooks, problems } = loadHooks(parseHooks(text, path), dialectOwners, memory);
    if (problems.length > 0) return null;
    return { hooks, problems: [withLastGood(first), ...others] };
  }

  return {
    hooks() {
      refresh();
      return loaded.hooks;
    },
    problems: () => loaded.problems,
  };
}

function loadHooks(
  file: HooksFile,
  dialectOwners: ReadonlyMap<string, DialectOwner>,
  memory: PromptMemory,
): Loaded {
  const problems = [...file.problems];
  const hooks: Hook[] = [];
  for (const placed of file.entries.filter(({ entry }) => entry.enabled)) {
    try {
      hooks.push(hookOf(placed, dialectOwners, file.providers, memory));
    } catch (error) {
      problems.push({ where: placed.where, message: messageOf(error) });
    }
  }
  const [unread] = problems;
  if (unread) hooks.push(unreadable('hooks.yaml', 'command', unread.where, unread.message));
  return { hooks, problems };
}

function hookOf(
  placed: PlacedEntry,
  dialectOwners: ReadonlyMap<string, DialectOwner>,
  providers: ReadonlyMap<string, Provider>,
  memory: PromptMemory,
): Hook {
  const { entry } = placed;
  switch (entry.type) {
    case 'command':
      return commandHook(placed, entry, dialectOwners);
    case 'http':
      return httpHook(placed, entry, dialectOwners);
    case 'prompt':
      return promptHook(placed, entry, dialectOwners, providers.get(entry.provider), memory);
  }
}

function readHooks(path: string): { readonly text: string | null; readonly file: HooksFile } {
  try {
    const text = readRegularText(path);
    return { text, file: parseHooks(text, path) };
  } catch (error) {
    return { text: null, file: { ...NO_HOOKS, problems: [{ where: path, message: messageOf(error) }] } };
  }
}
