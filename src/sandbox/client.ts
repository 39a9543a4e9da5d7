import type { EventType } from '../model/events.ts';
import type { Contract } from './contract.ts';
import type { Pin } from './install.ts';
import type { Finished } from './process.ts';
import type { Sandbox } from './sandbox.ts';
import type { Block, ModelServer, Step } from './script.ts';

/** Options of one turn. */
export interface TurnOptions {
  /** Run every shell command without asking, so that only Hookline decides. */
  readonly trustShell?: boolean;
  /** Continue the project's last session instead of starting one. */
  readonly resume?: boolean;
  /** Skip the client's question whether the directory is trusted. */
  readonly skipTrust?: boolean;
}

/** A coding agent as the scenarios see it, without the vendor's own terms. */
export interface Client {
  /** Hookline's id of the agent. */
  readonly id: string;
  readonly pin: Pin;
  /** The fields of its payloads: `contract.json`, made from the fixtures. */
  readonly contract: Contract;
  /** The event types of one turn with one shell command, in a new session. */
  readonly turnEvents: readonly EventType[];
  /** True if a session begins with its first prompt, and the two events come in either order. */
  readonly startsTogether?: true;
  /** True if the end of a session may be reported twice. */
  readonly endsTwice?: true;
  /** False if hooks don't learn how a shell command ended. */
  readonly tellsOutcome?: false;
  /** False if hooks learn nothing of a failed call. */
  readonly tellsFailure?: false;
  /** False if the user doesn't learn why a prompt was not sent. */
  readonly tellsWhy?: false;
  /** Hosts that the client always contacts; it works without an answer. */
  readonly callsHome?: RegExp;
  /** True if the client denies in its own words what can't be approved, and the model reads ours next to them. */
  readonly asksItself?: true;
  /** True if `turn` runs no hook for the prompt. */
  readonly promptUnseen?: true;
  /** False if a turn that ends by itself can't continue an earlier session. */
  readonly resumes?: false;
  /** Prepares what the client needs on a machine before it runs at all. */
  prepare?(sandbox: Sandbox, model: ModelServer): Promise<void>;
  startModel(script: readonly Step[]): Promise<ModelServer>;
  /** Settings that make the client talk only to that model. */
  scripted(model: ModelServer): ScriptedRun;
  /** Variables that `exec` sets unless the user has, so that the client always runs its hooks. */
  readonly execEnv?: Readonly<Record<string, string>>;
  /** Arguments after those of a turn that let every shell command run without asking. */
  readonly trusting: readonly string[];
  /** Arguments of one turn that ends by itself, with the user's model. */
  turn(prompt: string, options: TurnOptions): readonly string[];
  /** One turn over the client's own protocol, if hooks see the whole turn only then. */
  readonly talk?: Talk;
  /** How this client's model asks for a shell command. */
  shell(command: string): Block;
  /** How it reads and changes files. */
  readonly files: ClientFiles;
}

interface ClientFiles {
  /** True if it accepts only absolute paths. */
  readonly absolute?: true;
  read(path: string): Block;
  edit(path: string, from: string, to: string): Block;
}

/** Additions to a turn. */
interface ScriptedRun {
  readonly env: Readonly<Record<string, string>>;
  /** Arguments after those of the turn. */
  readonly args?: readonly string[];
}

/** Lets a program work on a prompt until it is done, and ends it. */
export type Talk = (
  program: string,
  prompt: string,
  options: TurnOptions,
  where: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  },
) => Promise<Finished>;

/** The program arguments for one turn with a scripted model. */
export function turnOf(
  client: Client,
  prompt: string,
  options: TurnOptions,
  model: ModelServer,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const { env, args = [] } = client.scripted(model);
  return { args: [...client.turn(prompt, options), ...args], env };
}
