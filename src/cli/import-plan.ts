import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Agent } from '../agents/agent.ts';
import type { ForeignHook } from '../agents/imports.ts';
import { writeFileAtomically } from '../agents/settings-file.ts';
import type { FileEdit, SetupContext } from '../agents/setup.ts';
import { applyEdits, applyRemoval, removal } from '../agents/setup-journal.ts';
import { readIfThere } from '../home/config.ts';
import type { HomePaths } from '../home/paths.ts';
import { parseHooks } from '../hooks/config-file.ts';
import { withEntries, withoutEntries } from '../hooks/edit-file.ts';
import { HooklineError } from '../model/errors.ts';

/** A hook that was found, with the name that it gets behind Hookline. */
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
    /** Every file that its move wrote to. */
    files: v.array(v.string()),
  }),
);
type Moved = v.InferOutput<typeof moved>[number];

/** All foreign hooks in the settings of some agents, named apart from each other and from those that are here already. */
export function findHooks(
  agents: readonly Agent[],
  context: SetupContext,
  paths: HomePaths,
): readonly Found[] {
  const taken = new Set(entriesIn(paths).map(({ name }) => name));
  return agents.flatMap((agent) =>
    (agent.imports?.find(context) ?? []).map((hook) => {
      let name = hook.label;
      for (let n = 2; taken.has(name); n++) name = `${hook.label}-${n}`;
      taken.add(name);
      return { agent, hook, name };
    }),
  );
}

/** The edits that moving the hooks of one agent comes to. */
export interface Move {
  readonly agent: Agent;
  readonly edits: readonly FileEdit[];
}

export function planImport(found: readonly Found[], context: SetupContext): readonly Move[] {
  return [...new Set(found.map(({ agent }) => agent))].map((agent) => {
    const own = found.filter((one) => one.agent === agent).map(({ hook }) => hook);
    return { agent, edits: agent.imports?.without(context, own) ?? [] };
  });
}

/** First they are behind Hookline, and only then out of the settings: no call is without its guard. */
export function applyImport(found: readonly Found[], moves: readonly Move[], paths: HomePaths): void {
  const text = readIfThere(paths.hooksFile) ?? '';
  const { problems } = parseHooks(text, paths.hooksFile);
  const [problem] = problems;
  if (problem)
    throw new HooklineError('CONFIG_INVALID', `${problem.where}: ${problem.message}`, {
      hint: 'Mend the file first; nothing was moved.',
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

export interface Undo {
  readonly edits: readonly FileEdit[];
  readonly names: readonly string[];
}

/** What putting back the hooks of an agent, or of all, comes to: the very bytes where nobody else has written since. */
export function planUndo(agents: readonly Agent[], context: SetupContext, paths: HomePaths): Undo {
  const records = readRecords(paths);
  const edits = agents.flatMap((agent) => {
    const own = records.filter((one) => one.agent === agent.id);
    if (own.length === 0 || !agent.imports) return [];
    const back = agent.imports.withBack(
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
  const text = readIfThere(paths.hooksFile);
  if (text !== null) writeHooks(paths, withoutEntries(text, names));
}

/** Files that the same moves wrote to, and that nothing of theirs has to be put back into. */
function companions(records: readonly Moved[], edits: readonly FileEdit[]): readonly FileEdit[] {
  const known = new Set(edits.map(({ path }) => path));
  const others = new Set(records.flatMap(({ files }) => files).filter((path) => !known.has(path)));
  return [...others].flatMap((path) => {
    const text = readIfThere(path);
    return text === null ? [] : [{ path, before: text, after: text }];
  });
}

function entriesIn(paths: HomePaths) {
  return parseHooks(readIfThere(paths.hooksFile) ?? '', paths.hooksFile).entries;
}

function journalOf(paths: HomePaths): string {
  return join(paths.setup, 'imports');
}

function recordsFile(paths: HomePaths): string {
  return join(journalOf(paths), 'moved.json');
}

function readRecords(paths: HomePaths): readonly Moved[] {
  const text = readIfThere(recordsFile(paths));
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), moved), text ?? '[]');
  return parsed.success ? parsed.output : [];
}

function writeRecords(paths: HomePaths, records: readonly Moved[]): void {
  mkdirSync(journalOf(paths), { recursive: true, mode: 0o700 });
  writeFileAtomically(recordsFile(paths), `${JSON.stringify(records, null, 2)}\n`, 0o600);
}

function writeHooks(paths: HomePaths, text: string): void {
  mkdirSync(dirname(paths.hooksFile), { recursive: true, mode: 0o700 });
  writeFileAtomically(paths.hooksFile, text, 0o600);
}
