import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { readHistory } from '../client/history.ts';
import { homePaths } from '../home/paths.ts';
import type { Client } from '../sandbox/client.ts';
import type { Finished } from '../sandbox/process.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Step } from '../sandbox/script.ts';
import { listEvents } from '../store/read/queries.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import type { Scene } from './scene.ts';

/** The expected and the actual behavior of a client. */
export interface Mismatch {
  readonly expected: string;
  readonly seen: string;
  /** `broken` by default: a guard failed to stop something, or that is unclear. */
  readonly state?: 'changed' | 'untried';
}

/** A behavior that Hookline requires of a client. Several of them fit into one turn. */
export interface Check {
  readonly name: string;
  /** The promise in words: `a denied command does not run, and the model reads why`. */
  readonly promise: string;
  /** True if the agent claims to support this. */
  applies(agent: Agent, client: Client): boolean;
  /** Entries of the rule file. */
  readonly rules: readonly Readonly<Record<string, unknown>>[];
  /** The user's prompt, if it matters. A check with a prompt gets a separate turn. */
  readonly prompt?: string;
  /** The client runs shell commands without asking, so that only Hookline decides. */
  readonly trustShell: boolean;
  /** The model's tool calls, in steps. Some clients need absolute paths. */
  calls(client: Client, project: string): readonly Step[];
  /** The model's final message, if the check is about the end of the turn. */
  readonly ending?: readonly string[];
  /** Settings of Hookline. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** For the client and everything it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Prepares the sandbox before Hookline is set up, and before the turn. */
  prepare?(sandbox: Sandbox): Promise<void>;
  before?(scene: Scene): Promise<void>;
  /** Mismatches; empty if the promise holds. */
  judge(turn: PlayedTurn): readonly Mismatch[];
}

/** The result of a turn, for one of its checks. */
export interface PlayedTurn {
  readonly client: Client;
  readonly finished: Finished;
  /** How often the model was asked to continue. */
  readonly modelCalls: number;
  /** Everything the model received for this step of the check. */
  told(step: number): string;
  /** Results of the tool calls in the step before. */
  results(step: number): readonly string[];
  /** All recorded events, oldest first. */
  readonly events: readonly StoredEvent[];
  /** The events of one shell command before it ran, and after. */
  before(command: string): StoredEvent | undefined;
  after(command: string): StoredEvent | undefined;
  /** True if the project has this file with this content. */
  has(file: string): boolean;
  text(file: string): string;
}

/** The history of a scene's client. */
export function eventsOf(
  { sandbox }: Pick<Scene, 'sandbox'>,
  { id }: Client,
): Promise<readonly StoredEvent[]> {
  const paths = homePaths(sandbox.hooklineHome);
  return readHistory(paths, (db) => listEvents(db, { source: id }));
}

/**
 * What came of a turn, as a check sees it.
 *
 * @param first the step of the script that is the check's own first one
 */
export function playedTurn(
  { sandbox, model }: Scene,
  client: Client,
  { finished, events, first }: Pick<PlayedTurn, 'finished' | 'events'> & { readonly first: number },
): PlayedTurn {
  const ofCommand = (type: StoredEvent['type'], command: string) =>
    events.find((event) => event.type === type && event.tool?.input.command === command);
  const path = (file: string) => join(sandbox.project, file);
  return {
    client,
    finished,
    modelCalls: model.requests.filter(({ step }) => step !== null).length,
    told: (step) => model.told(first + step) ?? '',
    results: (step) => model.results(first + step),
    events,
    before: (command) => ofCommand('before_tool', command),
    after: (command) => ofCommand('after_tool', command),
    has: (file) => existsSync(path(file)),
    text: (file) => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : ''),
  };
}
