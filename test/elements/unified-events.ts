import { type Element, fixture } from './element.ts';

const OBSERVER = 'src/agents/codex/app-server/observer.test.ts';
const SESSION = 'a whole session: one event each, in order';
const ANSWER = 'src/agents/codex/app-server/encode.test.ts';
const GEMINI = 'src/agents/gemini/encode.test.ts';

/** One event model over the hooks of several agents, with the messages of Codex's app-server. */
export const UNIFIED_EVENTS: readonly Element[] = [
  ['thread/started', OBSERVER, SESSION],
  ['thread/archive', OBSERVER, SESSION],
  ['turn/started', OBSERVER, SESSION],
  ['turn/completed', OBSERVER, SESSION],
  ['item/commandExecution/requestApproval', OBSERVER, SESSION],
  ['item/fileChange/requestApproval with changes', OBSERVER, SESSION],
  [
    'an approval without itemId',
    OBSERVER,
    'an approval without an id of its item, or of its thread, is on record',
  ],
  ['item/completed: commandExecution', OBSERVER, SESSION],
  ['item/completed: fileChange', OBSERVER, SESSION],
  ['item/completed: mcpToolCall', OBSERVER, SESSION],
  ['item/completed: message', OBSERVER, SESSION],
  [
    'item/completed of an unknown call',
    OBSERVER,
    'the end of a call of which nothing else is known is one event',
  ],
  ['accept and decline', ANSWER, 'to %s with %o is %o'],
  ['event_type, session_id, source', ...fixture('claude', 'PreToolUse/bash')],
  [
    'timestamp',
    'src/agents/gemini/decode.test.ts',
    'an event happened when the client says, and reached us when it did',
  ],
  ['data', 'src/engine/handle.test.ts', 'a call is decoded, judged, recorded and answered, and nothing else'],
  [
    'stop: stop_reason',
    'src/agents/claude/decode.test.ts',
    'why the model stopped, and that a call was interrupted, are told in our words',
  ],
  [
    'post-tool-use: tool_output',
    'src/agents/claude/decode.test.ts',
    'has a machine and the old name of the response',
  ],
  ['notification: notification_type', ...fixture('claude', 'Notification')],
  ['decision, reason', 'src/model/merge.test.ts', 'only the reasons of the winning decision are kept'],
  [
    'context',
    'src/engine/handle.test.ts',
    'context that an event cannot carry comes with the next that can, once',
  ],
  [
    'system_message',
    'src/agents/claude/encode.test.ts',
    '1: what the model shall know never goes into systemMessage, which only the person sees',
  ],
  ['modify_args', 'src/engine/handle.test.ts', 'each handler sees what the one before made of the call'],
  [
    'trigger_action where there is a way',
    GEMINI,
    'the context is cleared where the turn ends or is kept from ending',
  ],
  ['trigger_action where there is none', GEMINI, 'what %s cannot do is on record: %j'],
];
