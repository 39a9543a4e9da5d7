import { basename, dirname } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { fileStamp } from '../../platform/files.ts';
import { type LastGood, type Snapshot, withLastGood } from '../../platform/last-good.ts';
import type { HookSession } from '../define.ts';
import { type Hook, type HookProblem, unreadable } from '../hook.ts';
import { parseResponse } from '../response.ts';
import { concerns } from '../when.ts';
import { type Declaration, readDeclaration } from './declaration.ts';
import { sourcesIn } from './hook-files.ts';
import { type Answered, type HookCall, LoadedLate } from './hook-worker.ts';
import { Pool } from './pool.ts';
import type { Declared } from './protocol.ts';
import type { SessionStates } from './states.ts';

/** A loaded hook file. */
export interface Loaded {
  readonly stamp: string;
  /** One for the current file, and one for its last good version if the file can't be loaded. */
  readonly pools: Pool[];
  readonly hooks: Promise<readonly Hook[]>;
  problem: HookProblem | null;
  /** Time of the next attempt, in ms since the epoch, if loading only timed out. */
  retryAt: number | null;
  readonly attempt: number;
}

const RETRY_MS = { first: 10_000, longest: 5 * 60_000 };

export interface LoadOptions {
  readonly states: SessionStates;
  /** Imports must stay within this directory. */
  readonly within: string | null;
  /** Storage for last good versions. Not for a project, where only trusted code runs. */
  readonly lastGood?: LastGood;
}

export function closeAll({ pools }: Loaded): void {
  for (const pool of pools) pool.close();
}

/** Starts to load a file; `before` is its previous state. */
export function loadFile(
  path: string,
  { stamp, before, attempt = 1 }: { stamp: string; before: readonly Hook[]; attempt?: number },
  options: LoadOptions,
): Loaded {
  const pools: Pool[] = [];
  const load = async (instead: Snapshot) => {
    const pool = new Pool({ file: path, within: options.within, instead });
    pools.push(pool);
    return hooksOf(path, await pool.load(), pool, options.states);
  };
  const loaded: Loaded = {
    stamp,
    pools,
    problem: null,
    retryAt: null,
    attempt,
    hooks: loadOrLastGood(path, load, options.lastGood).catch((error: Error) => {
      const problem = { where: path, message: error.message };
      const inUse = error instanceof LastGoodInUse ? error.hooks : null;
      if ([error, error.cause].some((one) => one instanceof LoadedLate)) loaded.retryAt = retryAfter(attempt);
      loaded.problem = inUse ? withLastGood(problem) : problem;
      return inUse ?? broken(path, before, error.message);
    }),
  };
  return loaded;
}

function retryAfter(attempt: number): number {
  return Date.now() + Math.min(RETRY_MS.first * 2 ** (attempt - 1), RETRY_MS.longest);
}

/** The file can't be loaded, but its previous version can. */
class LastGoodInUse extends Error {
  readonly hooks: readonly Hook[];

  constructor(cause: unknown, hooks: readonly Hook[]) {
    super(messageOf(cause), { cause });
    this.hooks = hooks;
  }
}

async function loadOrLastGood(
  path: string,
  load: (instead: Snapshot) => Promise<readonly Hook[]>,
  lastGood: LastGood | undefined,
): Promise<readonly Hook[]> {
  const stamp = fileStamp(path);
  try {
    // Read before loading, so that the stored version is never newer than the one that worked.
    const sources = lastGood ? sourcesIn(dirname(path)) : null;
    const hooks = await load({});
    if (sources && fileStamp(path) === stamp) lastGood?.keep(path, sources);
    return hooks;
  } catch (error) {
    const before = lastGood?.read(path);
    const hooks = before ? await load(before).catch(() => null) : null;
    if (hooks === null) throw error;
    throw new LastGoodInUse(error, hooks);
  }
}

/** Where the code of a file runs. */
interface HookRunner {
  run(call: HookCall): Promise<Answered>;
}

/** The hooks that a file declares. Throws a readable error. */
export function hooksOf(
  path: string,
  declared: readonly Declared[],
  runner: HookRunner,
  states: SessionStates,
): readonly Hook[] {
  const several = declared.length > 1;
  return declared.map((one, index) => {
    const declaration = readDeclaration(one, several ? `${nameOf(path)}#${index + 1}` : nameOf(path));
    return hookOf(path, index, declaration, runner, states);
  });
}

function nameOf(path: string): string {
  const name = basename(path).replace(/\.[^.]+$/, '');
  return name === 'index' ? basename(dirname(path)) : name;
}

function hookOf(
  path: string,
  index: number,
  { name, when, timeoutMs }: Declaration,
  runner: HookRunner,
  states: SessionStates,
): Hook {
  return {
    name,
    kind: 'code',
    where: path,
    timeoutMs,
    failure: null,
    background: false,
    problem: null,
    concerns: (event) => concerns(when, event),
    async run(event, ask) {
      const session = sessionOf(event, states.get(name, event));
      const { response, state } = await runner.run({ ...ask, hook: index, event, session });
      states.set(name, event, state);
      return parseResponse(response);
    },
  };
}

function sessionOf(event: HookEvent, state: Record<string, unknown>): HookSession {
  return { id: event.sessionId, agent: event.source, cwd: event.cwd, project: event.projectId, state };
}

/** A file that can't be loaded still guards what it guarded before, by failing visibly. */
function broken(path: string, before: readonly Hook[], message: string): readonly Hook[] {
  const run = () => Promise.reject(new Error(`it cannot be loaded: ${message}`));
  if (before.length > 0) return before.map((hook) => ({ ...hook, problem: message, run }));
  return [unreadable(nameOf(path), 'code', path, message)];
}
