import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Agent } from '../../agents/agent.ts';
import type { ForeignHook } from '../../agents/setup/imports.ts';
import { applyEdits, applyRemoval, removal } from '../../agents/setup/journal.ts';
import type { FileEdit, SetupContext } from '../../agents/setup/setup.ts';
import type { HomePaths } from '../../home/paths.ts';
import { parseHooks } from '../../hooks/config-file.ts';
import { withEntries, withoutEntries } from '../../hooks/edit-file.ts';
import { HooklineError } from '../../model/errors.ts';
import { readIfExists, writePrivateFile, writeUserFile } from '../../platform/files.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** An existing hook, with its future name in Hookline. */
export interface Found {
  readonly agent: Agent;
  readonly hook: ForeignHook;
  readonly name: string;
}

const moved = v.array(
  v.object({
    agent: v.string(),
    name: v.string(),
    path: v.string(),
    event: v.string(),
    matcher: v.optional(v.unknown()),
    handler: v.unknown(),
    /** Every file that the import wrote to. */
    files: v.array(v.string()),
  }),
);
type Moved = v.InferOutput<typeof moved>[number];

/** All hooks of other programs in the settings of some agents, with names that are unique and not yet in use. */
export function findHooks(
  agents: readonly Agent[],
  context: SetupContext,
  paths: HomePaths,
): readonly Found[] {
  const { entries, providers } = hooksIn(paths);
  const taken = new Set(entries.map(({ name }) => name));
  const [provider] = providers.keys();
  return agents.flatMap((agent) =>
    (agent.imports?.find(context) ?? []).map((hook) => {
      let name = hook.label;
      for (let n = 2; taken.has(name); n++) name = `${hook.label}-${n}`;
      taken.add(name);
      return { agent, hook: withProvider(hook, provider), name };
    }),
  );
}

/** The agent asked its own model. In Hookline, the entry must name a provider. */
function withProvider(hook: ForeignHook, provider: string | undefined): ForeignHook {
  if (hook.entry?.type !== 'prompt') return hook;
  if (provider !== undefined) return { ...hook, entry: { ...hook.entry, provider } };
  return {
    ...hook,
    entry: null,
    why: 'it calls a model: add a provider under providers: in hooks.yaml first',
  };
}

/** The edits that move the hooks of one agent. */
interface Move {
  readonly agent: Agent;
  readonly edits: readonly FileEdit[];
}

export function planImport(found: readonly Found[], context: SetupContext): readonly Move[] {
  return [...new Set(found.map(({ agent }) => agent))].map((agent) => {
    const own = found.filter((one) => one.agent === agent).map(({ hook }) => hook);
    return { agent, edits: agent.imports?.remove(context, own) ?? [] };
  });
}

/** Adds them to Hookline before removing them from the settings, so that no call is unguarded. */
export function applyImport(found: readonly Found[], moves: readonly Move[], paths: HomePaths): void {
  const text = readIfExists(paths.hooksFile) ?? '';
  const { problems } = parseHooks(text, paths.hooksFile);
  const [problem] = problems;
  if (problem)
    throw new HooklineError('CONFIG_INVALID', `${problem.where}: ${problem.message}`, {
      hint: 'Fix the file first. No hooks were moved.',
    });
  const entries = found.map(({ name, hook }) => ({ name, ...hook.entry }));
  writeHooks(paths, withEntries(text, entries));
  const records = found.map(({ agent, name, hook: { path, placed } }) => ({
    agent: agent.id,
    name,
    path,
    event: placed.event,
    ...(placed.matcher === undefined ? {} : { matcher: placed.matcher }),
    handler: placed.handler,
    files: moves
      .filter((move) => move.agent === agent)
      .flatMap(({ edits }) => edits.map((edit) => edit.path)),
  }));
  writeRecords(paths, [...readRecords(paths), ...records]);
  applyEdits(
    moves.flatMap(({ edits }) => edits),
    journalOf(paths),
  );
}

interface Undo {
  readonly edits: readonly FileEdit[];
  readonly names: readonly string[];
}

/**
 * The edits that restore the hooks of one agent, or of all. Files that weren't changed since get their original bytes.
 */
export function planUndo(agents: readonly Agent[], context: SetupContext, paths: HomePaths): Undo {
  const records = readRecords(paths);
  const edits = agents.flatMap((agent) => {
    const own = records.filter((one) => one.agent === agent.id);
    if (own.length === 0 || !agent.imports) return [];
    const back = agent.imports.restore(
      context,
      own.map(({ path, event, matcher, handler }) => ({ path, event, matcher, handler })),
    );
    const also = companions(own, back);
    return [...removal([...back, ...also], journalOf(paths))].filter((edit) => edit.after !== edit.before);
  });
  const ids = new Set(agents.map(({ id }) => id));
  return { edits, names: records.filter(({ agent }) => ids.has(agent)).map(({ name }) => name) };
}

export function applyUndo({ edits, names }: Undo, paths: HomePaths): void {
  applyRemoval(edits, journalOf(paths));
  writeRecords(
    paths,
    readRecords(paths).filter(({ name }) => !names.includes(name)),
  );
  const text = readIfExists(paths.hooksFile);
  if (text !== null) writeHooks(paths, withoutEntries(text, names));
}

/** Files that the same imports wrote to, and that need no restored hooks. */
function companions(records: readonly Moved[], edits: readonly FileEdit[]): readonly FileEdit[] {
  const known = new Set(edits.map(({ path }) => path));
  const others = new Set(records.flatMap(({ files }) => files).filter((path) => !known.has(path)));
  return [...others].flatMap((path) => {
    const text = readIfExists(path);
    return text === null ? [] : [{ path, before: text, after: text }];
  });
}

function hooksIn(paths: HomePaths) {
  return parseHooks(readIfExists(paths.hooksFile) ?? '', paths.hooksFile);
}

function journalOf(paths: HomePaths): string {
  return join(paths.setup, 'imports');
}

function recordsFile(paths: HomePaths): string {
  return join(journalOf(paths), 'moved.json');
}

function readRecords(paths: HomePaths): readonly Moved[] {
  const text = readIfExists(recordsFile(paths));
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), moved), text ?? '[]');
  return parsed.success ? parsed.output : [];
}

function writeRecords(paths: HomePaths, records: readonly Moved[]): void {
  writePrivateFile(recordsFile(paths), `${JSON.stringify(records, null, 2)}\n`, { durable: true });
}

function writeHooks(paths: HomePaths, text: string): void {
  makeFolder(dirname(paths.hooksFile), 0o700);
  writeUserFile(paths.hooksFile, text, 0o600);
}
