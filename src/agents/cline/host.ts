import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Calls } from '../kit/shim/calls.ts';
import { createShim, type ShimSettings } from '../kit/shim/core.ts';
import { type Instructions, refusalIn } from '../kit/shim/instructions.ts';
import type { HookContext, Plugin, SetupContext, Snapshot } from './api.ts';

/**
 * The plugin. Cline runs it in a process of its own and gives a hook 3 s (3.0.65): one that takes longer or throws ends the
 * whole run. The shim answers before that, and nothing here throws.
 */
export function host(settings: ShimSettings): Plugin {
  const shim = createShim(settings);
  const session = new Session();
  const calls = new Calls(shim);
  const ask = (event: string, context: HookContext, more: object): Promise<Instructions> =>
    shim.ask(event, { ...session.payload(context.snapshot), event: more });
  return {
    name: 'hookline',
    manifest: { capabilities: ['hooks'] },
    setup(_, context) {
      session.begin(context);
      shim.hello(context.client?.version ?? null);
      const payload = session.payload({});
      void shim.report('setup', { ...payload, event: { resumed: existsSync(payload.transcript_path) } });
    },
    hooks: {
      async beforeRun(context) {
        const answer = await ask('beforeRun', context, { prompt: promptIn(context.snapshot) });
        const why = refusalIn(answer);
        return why === null ? contextOf(answer) : { stop: true, reason: why };
      },
      beforeTool: (context) => beforeTool(context, calls, ask),
      afterTool: (context) => afterTool(context, calls, ask),
      async afterRun(context) {
        const { status, outputText, error } = context.result ?? {};
        await ask('afterRun', context, { status, outputText, error: error?.message });
      },
    },
  };
}

type Ask = (event: string, context: HookContext, more: object) => Promise<Instructions>;

class Session {
  #id = '';
  #cwd = process.cwd();

  begin({ session, workspaceInfo }: SetupContext): void {
    this.#id = session?.sessionId ?? '';
    this.#cwd = workspaceInfo?.rootPath ?? this.#cwd;
  }

  payload({ agentId, parentAgentId, conversationId }: Snapshot) {
    const session_id = this.#id || conversationId || 'unknown';
    return {
      session_id,
      cwd: this.#cwd,
      transcript_path: transcriptOf(session_id),
      agent_id: agentId,
      // Only a subagent has one.
      parent_agent_id: parentAgentId,
    };
  }
}

function transcriptOf(session: string): string {
  const { CLINE_DIR, CLINE_DATA_DIR, CLINE_SESSION_DATA_DIR } = process.env;
  const data = CLINE_DATA_DIR || join(CLINE_DIR || join(homedir(), '.cline'), 'data');
  return join(CLINE_SESSION_DATA_DIR || join(data, 'sessions'), session, `${session}.messages.json`);
}

/** The last thing that was said to the model; the rest of the conversation stays where it is. */
function promptIn({ messages = [] }: Snapshot): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? [];
  return content.map(({ text }) => text ?? '').join('');
}

function contextOf({ append }: Instructions) {
  return append === undefined ? undefined : { appendContext: append };
}

async function beforeTool(context: HookContext, calls: Calls, ask: Ask) {
  const { toolCallId = '', toolName = '', input } = context.toolCall ?? {};
  const answer = await ask('beforeTool', context, { toolName, toolCallId, input });
  const { abort, ask: question, reply, args } = answer;
  const changed = args === undefined ? input : nativeInput(input, args);
  calls.judged(toolCallId, toolName, changed, answer);
  const reason = refusalIn(answer);
  if (reason !== null) return { ...(abort === undefined ? {} : { stop: true }), skip: true, reason };
  // Its own dialog asks; without a terminal it refuses in its own words, and the model reads ours beside them.
  const approval =
    question === undefined ? (reply ? { autoApprove: true } : undefined) : { autoApprove: false };
  return {
    ...(args === undefined ? {} : { input: changed }),
    ...(approval ? { policy: approval } : {}),
    ...(question === undefined ? contextOf(answer) : { appendContext: question }),
  };
}

/** The whole input with changes; a command line is the one command of a list. */
function nativeInput(input: unknown, { command, ...args }: Readonly<Record<string, unknown>>): unknown {
  return command === undefined ? { ...Object(input), ...args } : { commands: [command] };
}

async function afterTool(context: HookContext, calls: Calls, ask: Ask) {
  const { toolCallId = '', toolName = '', input } = { ...context.toolCall, input: context.input };
  // It comes for calls that were refused as well (3.0.65).
  if (refusalIn(calls.said(toolCallId)) !== null) return undefined;
  calls.ended(toolCallId, input);
  const { result, durationMs } = context;
  const answer = await ask('afterTool', context, { toolName, toolCallId, input, result, durationMs });
  const { replace, abort } = answer;
  return {
    ...(replace === undefined ? {} : { result: { ...result, output: replace } }),
    ...(abort === undefined ? {} : { stop: true, reason: abort }),
    ...contextOf(answer),
  };
}
