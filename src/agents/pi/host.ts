import { Calls } from '../kit/shim/calls.ts';
import { createShim, type Shim, type ShimSettings } from '../kit/shim/core.ts';
import { changedParts, type Instructions, refusalIn } from '../kit/shim/instructions.ts';
import { Memory } from '../kit/shim/memory.ts';
import { type Context, type Event, type Pi, payloadOf } from './api.ts';

type Ask = (name: string, event: Event, context: Context, more?: object) => Promise<Instructions>;

/** The extension. It must not throw: the client would not start, or would refuse a call without a word of why. */
export function host(settings: ShimSettings): (pi: Pi) => void {
  return (client) => {
    const shim = createShim(settings);
    const pi = onlyOurs(client, shim);
    const turn = new Turn();
    const ask: Ask = async (name, event, context, more) => {
      const answer = await shim.ask(name, payloadOf(event, context, more));
      if (answer.toast && context.hasUI) context.ui.notify(answer.toast);
      if (answer.abort !== undefined) turn.halted = true;
      return answer;
    };
    watch(pi, ask, shim);
    guardPrompts(pi, ask, turn);
    guardCalls(pi, ask, turn, shim);
    guardEnd(pi, ask, turn);
    shim.hello(null);
  };
}

/** The handlers of all extensions get one context for an event, though not always one event (1.5.0). */
function onlyOurs(pi: Pi, shim: Shim): Pi {
  return {
    on: (name, handler) =>
      pi.on(name, (event, context) => (shim.takes(context) ? handler(event, context) : undefined)),
    sendMessage: (message, options) => pi.sendMessage(message, options),
  };
}

class Turn {
  /** What the model said last, why it failed, and what goes with the prompt. */
  message = '';
  error = '';
  context = '';
  /** No further request goes to the model. */
  halted = false;
  /** It continues only because its end was refused. */
  isPastEnd = false;

  begin(context: string): void {
    Object.assign(this, { message: '', error: '', context, halted: false, isPastEnd: false });
  }

  takeContext(): object {
    const { context: content } = this;
    this.context = '';
    return { customType: 'hookline', content, display: false };
  }
}

/** Why it may not happen; null if it may. Without a screen the client itself says no to a question. */
async function refusal(answer: Instructions, { ui }: Context): Promise<string | null> {
  const why = refusalIn(answer);
  if (why !== null || answer.ask === undefined) return why;
  return (await ui.confirm('Hookline', answer.ask)) === true ? null : answer.ask;
}

function watch(pi: Pi, ask: Ask, shim: Shim): void {
  const started = new Memory<true>();
  pi.on('session_start', async (event, context) => {
    const { hasUI, ui, sessionManager } = context;
    shim.warnUnguarded(hasUI ? (text) => ui.notify(text) : null);
    // A new session comes twice (1.5.0).
    const id = sessionManager.getSessionId();
    if (!started.get(id)) await ask('session_start', event, context);
    started.set(id, true);
  });
  pi.on('session_before_compact', async (event, context) => {
    const { refuse } = await ask('session_before_compact', event, context);
    return refuse === undefined ? undefined : { cancel: true };
  });
  pi.on('session_compact', async (event, context) => {
    await ask('session_compact', event, context, { summary: Object(event.compactionEntry).summary });
  });
  for (const name of ['ui_prompt_start', 'session_shutdown'])
    pi.on(name, async (event, context) => void (await ask(name, event, context)));
}

function guardPrompts(pi: Pi, ask: Ask, turn: Turn): void {
  pi.on('input', async (event, context) => {
    const answer = await ask('input', event, context);
    const why = await refusal(answer, context);
    if (why !== null && context.hasUI) context.ui.notify(why);
    if (why !== null) return { action: 'handled' };
    turn.begin(answer.append ?? '');
    // One for a turn that is under way begins none.
    const deliverAs = event.streamingBehavior;
    if (deliverAs && turn.context) pi.sendMessage(turn.takeContext(), { deliverAs });
    return { action: 'continue' };
  });
  pi.on('before_agent_start', () => (turn.context ? { message: turn.takeContext() } : undefined));
}

function guardCalls(pi: Pi, ask: Ask, turn: Turn, shim: Shim): void {
  const calls = new Calls(shim);
  pi.on('tool_call', async (event, context) => {
    const answer = await ask('tool_call', event, context);
    const reason = await refusal(answer, context);
    if (reason !== null) return { block: true, reason, terminate: turn.halted };
    const args = Object.assign(Object(event.input), answer.args);
    calls.judged(String(event.toolCallId), String(event.toolName), args, answer);
    return undefined;
  });
  pi.on('user_bash', async (event, context) => {
    const output = await refusal(await ask('user_bash', event, context), context);
    if (output === null) return undefined;
    return { result: { output, exitCode: 1, cancelled: false, truncated: false } };
  });
  pi.on('tool_result', async (event, context) => {
    calls.ended(String(event.toolCallId), event.input);
    const parts: { readonly type: string }[] = Array.isArray(event.content) ? event.content : [];
    const content = parts.map((part) => (part.type === 'text' ? part : { type: part.type }));
    const changed = changedParts(parts, await ask('tool_result', event, context, { content }));
    return changed ? { content: changed } : undefined;
  });
}

function guardEnd(pi: Pi, ask: Ask, turn: Turn): void {
  pi.on('message_end', ({ message }) => {
    const { role, content, errorMessage } = Object(message);
    if (role !== 'assistant' || !Array.isArray(content)) return;
    turn.message = content.map(({ type, text }) => (type === 'text' ? text : '')).join('') || turn.message;
    turn.error = errorMessage ?? '';
  });
  // A refusal ends the turn only if every call of the message was refused so, and a result never does (1.5.0).
  pi.on('turn_start', (_, context) => void (turn.halted && context.abort()));
  pi.on('agent_before_settle', async (event, context) => {
    if (turn.halted) return undefined;
    const more = { message: turn.message, error: turn.error, stopHookActive: turn.isPastEnd };
    const { prompt: content } = await ask('agent_before_settle', event, context, more);
    if (content === undefined) return undefined;
    turn.isPastEnd = true;
    const entry = { type: 'custom_message', customType: 'hookline', content, display: true };
    return { entries: [event.entries ?? [], entry].flat(), continue: true };
  });
  pi.on('agent_settled', async (event, context) => {
    if (event.aborted === true) await ask('agent_settled', event, context);
  });
}
