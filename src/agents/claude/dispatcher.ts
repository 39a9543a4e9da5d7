import { isObject } from '../../model/json.ts';
import { type DispatcherDialect, withoutHalt, withReasonFirst } from '../kit/dispatcher.ts';
import { type Json, textAt } from '../kit/loose-json.ts';
import { AGY, ANTIGRAVITY, fromAntigravity, toAgy } from './antigravity.ts';
import { payloads } from './decode.ts';
import { stderrText } from './encode.ts';

/** Scripts that do not name the agent are those for this one. */
export const dispatcher: DispatcherDialect = {
  sources: ['', 'claude', 'claude_sdk', 'claude_sdk_web_chat', ANTIGRAVITY, AGY],
  // `continue: false` is exit code 2 with all of them.
  endsTurns: [],
  onlyRefused: [AGY],
  payload: (payload, source) =>
    (source === ANTIGRAVITY || source === AGY) && isObject(payload) ? fromAntigravity(payload) : payload,
  answer(body, call, source) {
    const event = payloads.nameOf(call);
    if (source === AGY) return toAgy(body, event);
    // Exit code 2 would keep the agent from stopping.
    return forStderr(withReason(event === 'Stop' || event === 'SubagentStop' ? withoutHalt(body) : body));
  },
};

/** Of a refusal, scripts print nothing but the reason, and newer ones do not look for it where the client does. */
function withReason(body: Json): Json {
  const own = body.hookSpecificOutput;
  const denied = textAt(own, 'permissionDecision') === 'deny';
  if (!denied && body.decision !== 'block') return body;
  const reason = (denied ? textAt(own, 'permissionDecisionReason') : textAt(body, 'reason')) ?? '';
  const context = textAt(own, 'additionalContext');
  return withReasonFirst(body, context === null ? reason : `${reason}\n\n${context}`);
}

/** Either text may become what the script prints before it exits with 2. */
function forStderr(body: Json): Json {
  const texts = ['reason', 'stopReason'].flatMap((key) => {
    const text = textAt(body, key);
    return text === null ? [] : [[key, stderrText(text)] as const];
  });
  return { ...body, ...Object.fromEntries(texts) };
}
