import { homedir } from 'node:os';
import { join } from 'node:path';
import { changedParts, type Instructions } from '../kit/shim/instructions.ts';

/** The parts of the client's plugin interface that the host uses (1.18.33). */
export interface PluginInput {
  readonly client: Client;
  readonly directory: string;
}

export interface Client {
  readonly _client: {
    post(request: { url: string; path: object; body: object }): Promise<unknown>;
  };
  readonly session: {
    promptAsync(request: { path: { id: string }; body: object }): Promise<unknown>;
    abort(request: { path: { id: string } }): Promise<unknown>;
  };
  readonly tui: { showToast(request: { body: { message: string; variant: string } }): Promise<unknown> };
}

export interface Part {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly messageID?: string;
  readonly sessionID?: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly callID?: string;
  readonly state?: { readonly status: string; readonly input?: unknown; readonly error?: string };
}

/** An event of the bus; the host does not wait for plugins here. */
export interface BusEvent {
  readonly type: string;
  readonly properties: {
    readonly sessionID?: string;
    readonly info?: SessionInfo;
    readonly part?: Part;
    readonly error?: unknown;
    readonly id?: string;
    readonly tool?: { readonly callID?: string };
  };
}

interface SessionInfo {
  readonly id: string;
  readonly parentID?: string;
  readonly version?: string;
  readonly agent?: string;
  readonly title?: string;
}

interface Prompt {
  readonly message: { readonly id: string; readonly sessionID: string };
  readonly parts: Part[];
}

/** Of one of its own tools, or of an MCP server's: the latter is a list, and its `output` is not read. */
interface Result {
  output?: string;
  readonly content?: unknown[];
}

interface OfSession {
  readonly sessionID: string;
}

interface ToolInput extends OfSession {
  readonly tool: string;
  readonly callID: string;
}

/** Awaited one after another, each with an `output` to change in place; a throw ends what it is about. */
export interface Hooks {
  event(input: { event: BusEvent }): Promise<void>;
  'chat.message'(input: OfSession, output: Prompt): Promise<void>;
  'command.execute.before'(input: OfSession, output: { readonly parts: Part[] }): Promise<void>;
  'tool.execute.before'(input: ToolInput, output: { readonly args: Record<string, unknown> }): Promise<void>;
  'tool.execute.after'(input: ToolInput & { readonly args: unknown }, output: Result): Promise<void>;
  'experimental.text.complete'(input: OfSession, output: { readonly text: string }): Promise<void>;
  'shell.env'(
    input: { readonly sessionID?: string },
    output: { readonly env: Record<string, string> },
  ): Promise<void>;
  'experimental.session.compacting'(input: OfSession, output: { readonly context: string[] }): Promise<void>;
  dispose(): Promise<void>;
}

/** Plugins get one `output` for a hook, and one object about an event (1.18.33): `takes` says of it whether it is for us. */
export function onlyOurs(hooks: Hooks, takes: (common: object) => boolean): Hooks {
  const once =
    <I, O extends object>(hook: (input: I, output: O) => Promise<void>) =>
    async (input: I, output: O) => {
      if (takes(output)) await hook(input, output);
    };
  return {
    event: async (input) => (takes(input.event.properties) ? hooks.event(input) : undefined),
    'chat.message': once(hooks['chat.message']),
    'command.execute.before': once(hooks['command.execute.before']),
    'tool.execute.before': once(hooks['tool.execute.before']),
    'tool.execute.after': once(hooks['tool.execute.after']),
    'experimental.text.complete': once(hooks['experimental.text.complete']),
    'shell.env': once(hooks['shell.env']),
    'experimental.session.compacting': once(hooks['experimental.session.compacting']),
    dispose: hooks.dispose,
  };
}

/** What the user wrote; files that it names are parts of their own. */
export function promptIn(parts: readonly Part[]): string {
  const written = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
  return written.map(({ text = '' }) => text).join('\n');
}

/** Parts are sorted by their ids, and one without an id fails the prompt (1.18.33): this one comes last. */
export function addition(text: string, { parts, message }: Prompt): Part {
  const last = parts
    .map(({ id = '' }) => id)
    .sort()
    .at(-1);
  const { id: messageID, sessionID } = message;
  return { id: `${last || 'prt_'}z`, type: 'text', text, synthetic: true, messageID, sessionID };
}

export function addToResult(result: Result, said: Instructions): void {
  const { content } = result;
  if (content) {
    content.splice(0, content.length, ...(changedParts(content, said) ?? content));
    return;
  }
  const { replace, append } = said;
  if (replace !== undefined) result.output = replace;
  if (append) result.output = `${result.output ?? ''}\n\n${append}`;
}

/** True if the process ends with the turn and can't ask a person. */
export function isHeadless(argv: readonly string[]): boolean {
  return argv.includes('run') && !argv.includes('-i') && !argv.includes('--interactive');
}

/** Where the client keeps its conversations; its name is also that of its folders. */
export function databaseOf(name: string): string {
  const data = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return join(data, name, `${name}.db`);
}
