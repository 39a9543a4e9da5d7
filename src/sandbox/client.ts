import type { EventType } from '../model/events.ts';
import type { Contract } from './contract.ts';
import type { Pin } from './install.ts';
import type { Finished } from './process.ts';
import type { Sandbox } from './sandbox.ts';
import type { Block, ModelServer, Step } from './script.ts';

/** How one turn is started. */
export interface TurnOptions {
  /** Let every shell command run without asking, so that only Hookline has a say. */
  readonly trustShell?: boolean;
  /** Go on with the project's last session instead of starting one. */
  readonly resume?: boolean;
  /** Do not ask whether the folder is trusted, where the client would. */
  readonly skipTrust?: boolean;
}

/** A coding agent as the scenarios see it; the vendor's words stay behind it. */
export interface Client {
  /** Hookline's name of the agent. */
  readonly id: string;
  readonly pin: Pin;
  /** The fields of its payloads: `contract.json`, which is made from the fixtures. */
  readonly contract: Contract;
  /** The types of the events of one turn with one shell command, in a session of its own. */
  readonly turnEvents: readonly EventType[];
  /** True where a session begins with its first prompt, and the two events come in either order. */
  readonly startsTogether?: true;
  /** True where the end of a session may be told a second time. */
  readonly endsTwice?: true;
  /** False where hooks are not told how a shell command ended. */
  readonly tellsOutcome?: false;
  /** False where hooks are told nothing of a call that failed. */
  readonly tellsFailure?: false;
  /** False where the user is not told why a prompt was not sent. */
  readonly tellsWhy?: false;
  /** Hosts that the client asks for whatever one tells it; it works without an answer. */
  readonly callsHome?: RegExp;
  /** True if the client denies in its own words what can't be approved, and the model reads ours next to them. */
  readonly asksItself?: true;
  /** True where `turn` asks no hook about the prompt. */
  readonly promptUnseen?: true;
  /** False where a turn that ends by itself cannot go on with an earlier session. */
  readonly resumes?: false;
  /** What the client itself needs on a machine before it runs at all. */
  prepare?(sandbox: Sandbox, model: ModelServer): Promise<void>;
  startModel(script: readonly Step[]): Promise<ModelServer>;
  /** What makes the client talk to that model and to nothing else. */
  scripted(model: ModelServer): ScriptedRun;
  /** Variables that `exec` sets unless the user has, so that the client does not go on without its hooks. */
  readonly execEnv?: Readonly<Record<string, string>>;
  /** Behind the arguments of a turn: what lets every shell command run without asking. */
  readonly trusting: readonly string[];
  /** Arguments of one turn that ends by itself, with whatever model the user has. */
  turn(prompt: string, options: TurnOptions): readonly string[];
  /** One turn over the client's own protocol, where its hooks only then see all of it. */
  readonly talk?: Talk;
  /** How this client's model asks for a shell command. */
  shell(command: string): Block;
  /** How it reads and changes files. */
  readonly files: ClientFiles;
}

interface ClientFiles {
  /** True where it takes full paths only. */
  readonly absolute?: true;
  read(path: string): Block;
  edit(path: string, from: string, to: string): Block;
}

/** What is added to a turn. */
interface ScriptedRun {
  readonly env: Readonly<Record<string, string>>;
  /** Behind the arguments of the turn. */
  readonly args?: readonly string[];
}

/** Lets a program work on a prompt until it has nothing more to do, and ends it. */
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

/** One turn of a client with a model of ours: what its program is called with. */
export function turnOf(
  client: Client,
  prompt: string,
  options: TurnOptions,
  model: ModelServer,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const { env, args = [] } = client.scripted(model);
  return { args: [...client.turn(prompt, options), ...args], env };
}
