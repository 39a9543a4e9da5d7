import * as v from 'valibot';
import { eventBase } from '../../../model/event-base.ts';
import type { EventBase, HookEvent } from '../../../model/events.ts';
import type { NativeCall } from '../../../model/native.ts';
import type { ToolCall } from '../../../model/tools.ts';
import { type OwnFields, readWire } from '../../kit/decoding.ts';
import { mcpCall, objectOf, patch, present, resultOf, shellCall, toolCall, toolOf } from './items.ts';
import { APPROVALS, ITEMS, type ItemWire, type MessageWire, messageWire, PARAMS } from './wire.ts';

type Decoder = (message: MessageWire) => OwnFields;

const UNKNOWN: OwnFields = { type: 'unknown', problem: null };

/** Turns one message of the app-server into the event it means. Throws only DecodeError. */
export function decodeMessage(call: NativeCall): HookEvent {
  const message = parse(messageWire, call.payload, 'a message');
  const own = (DECODERS.get(message.method) ?? (() => UNKNOWN))(message);
  return Object.assign(baseOf(call, message), own);
}

function decoder<S extends v.GenericSchema>(
  schema: S,
  fields: (params: v.InferOutput<S>, message: MessageWire) => OwnFields,
): Decoder {
  return (message) => fields(parse(schema, message.params, message.method), message);
}

const ended = (reason: string): Decoder =>
  decoder(PARAMS.thread, (_, { thread }) =>
    thread?.parentThreadId
      ? {
          type: 'subagent_stop',
          subagentId: thread.id,
          subagentType: thread.agentRole ?? 'unknown',
          subagentTranscriptPath: thread.path ?? null,
          stopHookActive: false,
          lastAssistantMessage: null,
          backgroundTasks: [],
        }
      : { type: 'session_end', reason },
  );

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  [
    'thread/started',
    decoder(PARAMS.threadStarted, ({ thread }) =>
      thread.parentThreadId
        ? { type: 'subagent_start', subagentId: thread.id, subagentType: thread.agentRole ?? 'unknown' }
        : {
            type: 'session_start',
            trigger: thread.forkedFromId ? 'fork' : 'startup',
            model: thread.model ?? null,
            title: thread.name ?? null,
          },
    ),
  ],
  ['thread/archived', ended('archived')],
  // Some clients call the notification by the name of the request.
  ['thread/archive', ended('archived')],
  ['thread/closed', ended('closed')],
  ['thread/deleted', ended('deleted')],
  [
    'thread/status/changed',
    (message) =>
      parse(PARAMS.status, message.params, message.method).status.type === 'notLoaded'
        ? ended('unloaded')(message)
        : UNKNOWN,
  ],
  [
    'turn/started',
    decoder(PARAMS.turn, (_, { item }) => ({ type: 'before_agent', prompt: promptOf(item), title: null })),
  ],
  ['turn/completed', decoder(PARAMS.turn, turnCompleted)],
  ['item/started', decoder(PARAMS.item, ({ item }) => itemStarted(item))],
  ['item/completed', decoder(PARAMS.item, ({ item }) => itemCompleted(item))],
  [
    'thread/tokenUsage/updated',
    decoder(PARAMS.tokenUsage, ({ tokenUsage }) => ({
      type: 'after_model',
      request: null,
      response: { status: null, error: null, tokenUsage },
    })),
  ],
  ['hook/started', decoder(PARAMS.hook, hookRun)],
  ['hook/completed', decoder(PARAMS.hook, hookRun)],
  [
    'warning',
    decoder(PARAMS.warning, ({ message }) => ({
      type: 'notification',
      message,
      title: null,
      kind: 'warning',
    })),
  ],
  [
    'error',
    decoder(PARAMS.error, ({ error }) => ({
      type: 'notification',
      message: error.message,
      title: null,
      kind: 'error',
    })),
  ],
  [APPROVALS.command, decoder(PARAMS.command, commandAsked)],
  [APPROVALS.fileChange, decoder(PARAMS.fileChange, fileChangeAsked)],
  [
    APPROVALS.permissions,
    decoder(PARAMS.permissions, ({ itemId, permissions, reason }) =>
      asked({
        name: 'request_permissions',
        nativeName: 'request_permissions',
        input: present({ permissions, reason }),
        useId: itemId,
      }),
    ),
  ],
  [
    APPROVALS.userInput,
    decoder(PARAMS.userInput, ({ itemId, questions }) =>
      asked({
        name: 'AskUserQuestion',
        nativeName: 'request_user_input',
        input: { questions },
        useId: itemId,
      }),
    ),
  ],
  [APPROVALS.elicitation, decoder(PARAMS.elicitation, elicited)],
]);

function turnCompleted({ turn }: v.InferOutput<typeof PARAMS.turn>, { item }: MessageWire): OwnFields {
  const last = turn.items?.findLast(({ type }) => type === 'agentMessage');
  const lastAssistantMessage = last ? v.parse(ITEMS.agentMessage, last).text : null;
  if (turn.status === 'interrupted') return { type: 'interrupt', reason: null };
  if (turn.status === 'failed') {
    return {
      type: 'stop_failure',
      error: turn.error?.message ?? 'unknown',
      details: turn.error?.additionalDetails ?? null,
      lastAssistantMessage,
    };
  }
  return {
    type: 'after_agent',
    prompt: item ? promptOf(item) : null,
    stopHookActive: false,
    lastAssistantMessage,
    backgroundTasks: [],
  };
}

function itemStarted(item: ItemWire): OwnFields {
  if (item.type === 'userMessage') return { type: 'before_agent', prompt: promptOf(item), title: null };
  if (item.type === 'contextCompaction') return { type: 'pre_compact', trigger: 'auto', instructions: null };
  const tool = toolOf(item);
  return tool ? { type: 'before_tool', tool } : UNKNOWN;
}

function itemCompleted(item: ItemWire): OwnFields {
  if (item.type === 'contextCompaction') return { type: 'post_compact', trigger: 'auto', summary: null };
  if (item.type === 'message')
    return { type: 'message_display', messageId: item.id, index: 0, final: true, delta: messageText(item) };
  const tool = toolOf(item);
  return tool ? { type: 'after_tool', tool: resultOf(item, tool) } : UNKNOWN;
}

function hookRun({ run }: v.InferOutput<typeof PARAMS.hook>): OwnFields {
  const said = run.entries?.map(({ text }) => text).filter(Boolean) ?? [];
  return {
    type: 'notification',
    message: [`${run.eventName} hook ${run.status}`, ...said].join(': '),
    title: null,
    kind: `hook_${run.status}`,
  };
}

function commandAsked(params: v.InferOutput<typeof PARAMS.command>): OwnFields {
  const { itemId, kind, command, reason, networkApprovalContext: network } = params;
  if (kind === 'command' && !network && command) {
    return asked(shellCall(command, itemId, reason ?? null));
  }
  // Reaching a host, or typing into a program that runs, needs its own approval: allowing the command line does not cover
  // it. It has no command, so that no rule about commands takes it for one.
  const name = network ? 'network_access' : kind === 'command' ? 'exec_command' : 'write_stdin';
  const input = present({ host: network?.host, protocol: network?.protocol, by: command, reason });
  return asked({ name, nativeName: name, input, useId: itemId, ...(network ? { kind: 'network' } : {}) });
}

function fileChangeAsked(
  { itemId, reason, grantRoot, changes }: v.InferOutput<typeof PARAMS.fileChange>,
  { item }: MessageWire,
): OwnFields {
  // The server's own question names no file (openai/codex#41105).
  const known = item && item.id === itemId ? v.safeParse(ITEMS.fileChange, item) : null;
  const draft = patch(changes ?? (known?.success ? known.output.changes : []));
  return asked({ ...draft, input: present({ ...draft.input, reason, grantRoot }), useId: itemId });
}

function elicited(params: v.InferOutput<typeof PARAMS.elicitation>, { item }: MessageWire): OwnFields {
  const { serverName: server, mode, message, requestedSchema, _meta: meta } = params;
  if (meta?.codex_approval_kind !== 'mcp_tool_call') {
    return { type: 'elicitation', server, message, mode, schema: requestedSchema ?? null };
  }
  // The question has the arguments but not the tool, which is in the item.
  const known = item ? v.safeParse(ITEMS.mcpToolCall, item) : null;
  const tool = known?.success ? known.output.tool : 'unknown';
  return asked({ ...mcpCall({ server, tool }, objectOf(meta.tool_params)), useId: item?.id ?? null });
}

function asked(
  tool: Pick<ToolCall, 'name' | 'nativeName' | 'input' | 'useId'> & Partial<ToolCall>,
): OwnFields {
  return { type: 'permission_request', tool: toolCall(tool, tool.useId), suggestions: [] };
}

function messageText(item: ItemWire): string {
  const message = v.safeParse(ITEMS.message, item);
  if (!message.success) return '';
  const { text, content } = message.output;
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  return text ?? parts.flatMap((part) => part.text ?? []).join('\n');
}

function promptOf(item: ItemWire | null | undefined): string {
  const message = v.safeParse(ITEMS.userMessage, item);
  if (!message.success) return '';
  return message.output.content.flatMap(({ text }) => text ?? []).join('\n');
}

const inAThread = v.looseObject({ threadId: v.nullish(v.string()), turnId: v.nullish(v.string()) });

function baseOf(call: NativeCall, message: MessageWire): EventBase {
  const started = v.safeParse(PARAMS.threadStarted, message.params);
  const thread = message.thread ?? (started.success ? started.output.thread : null);
  const { threadId, turnId } = v.is(inAThread, message.params) ? message.params : {};
  const own = thread?.id ?? threadId ?? '';
  return eventBase({
    id: call.id,
    source: 'codex',
    nativeEvent: message.method,
    // Hooks name the session of the root thread too, and the subagent by its thread.
    sessionId: thread?.sessionId ?? own,
    timestamp: call.receivedAt,
    cwd: thread?.cwd ?? null,
    transcriptPath: thread?.path ?? null,
    agentId: thread?.parentThreadId ? own : null,
    native: call.payload,
    metadata: present({ surface: 'app-server', turnId, model: thread?.model }),
  });
}

function parse<S extends v.GenericSchema>(schema: S, value: unknown, what: string): v.InferOutput<S> {
  return readWire(schema, value, `The app-server of Codex sent ${what}`);
}
