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

/** What was expected of a client, and what it did instead. */
export interface Mismatch {
  readonly expected: string;
  readonly seen: string;
  /** `broken` unless given: nothing happened that a guard should have stopped, or it cannot be told. */
  readonly state?: 'changed' | 'untried';
}

/** One thing that a client has to do with what Hookline answers. Several of them fit into one turn. */
export interface Check {
  readonly name: string;
  /** What holds when it does: `a denied command does not run, and the model reads why`. */
  readonly promise: string;
  /** Where the agent says that it can do this at all. */
  applies(agent: Agent, client: Client): boolean;
  /** Entries of the rule file. */
  readonly rules: readonly Readonly<Record<string, unknown>>[];
  /** What the user says, where it matters. A check with a prompt has a turn to itself. */
  readonly prompt?: string;
  /** The client runs shell commands without asking, so that only Hookline decides. */
  readonly trustShell: boolean;
  /** The tool calls of the model, in steps. Some clients name files by full paths, from the project's folder. */
  calls(client: Client, project: string): readonly Step[];
  /** What the model says when it is done, where the end of the turn is what is checked. */
  readonly ending?: readonly string[];
  /** Settings of Hookline. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** For the client and everything it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** What has to be there before Hookline is set up, and before the turn. */
  prepare?(sandbox: Sandbox): Promise<void>;
  before?(scene: Scene): Promise<void>;
  /** Empty where the promise holds. */
  judge(turn: PlayedTurn): readonly Mismatch[];
}

/** What came of a turn, for one of the checks in it. */
export interface PlayedTurn {
  readonly client: Client;
  readonly finished: Finished;
  /** How often the model was asked to go on. */
  readonly modelCalls: number;
  /** All that the model was told when it was asked for this step of the check. */
  told(step: number): string;
  /** What came of the tool calls in the step before. */
  results(step: number): readonly string[];
  /** Everything on record, oldest first. */
  readonly events: readonly StoredEvent[];
  /** The record of one shell command before it ran, and after. */
  before(command: string): StoredEvent | undefined;
  after(command: string): StoredEvent | undefined;
  /** Whether the project has this file, and what is in it. */
  has(file: string): boolean;
  text(file: string): string;
}

/** What the history of a scene has of its client. */
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
