import type { LintFinding } from './lint.ts';
import { type LooseObject, lineAt, objectsIn, unquoted } from './lint-objects.ts';

/** What differs between the agents whose hooks print this kind of answer. */
interface ScriptWords {
  readonly label: string;
  /** Is a text for the model read on this event? */
  takesContext(event: string): boolean;
  readonly knowsEvent: (event: string) => boolean;
}

interface Seen {
  readonly text: string;
  readonly objects: readonly LooseObject[];
}

type Check = (seen: Seen, words: ScriptWords) => readonly LintFinding[];

/** Findings about scripts for agents that read `hookSpecificOutput`, exit codes and `tool_response`. */
export function scriptFindings(text: string, words: ScriptWords): readonly LintFinding[] {
  const seen = { text, objects: objectsIn(text) };
  const all = CHECKS.flatMap((check) => check(seen, words));
  return all.toSorted((a, b) => a.line - b.line);
}

const CHECKS: readonly Check[] = [
  exitOne,
  staleFields,
  misplaced,
  partialInput,
  continueFalse,
  systemMessage,
  lostContext,
  unknownDecision,
  unreadReason,
];

/** Objects that agents would take for the answer of a hook. */
function answers({ objects }: Seen): readonly LooseObject[] {
  const words = [
    'decision',
    'permissionDecision',
    'updatedInput',
    'hookSpecificOutput',
    'stopReason',
    'systemMessage',
  ];
  return objects.filter(
    ({ entries }) => words.some((word) => entries.has(word)) && !entries.has('hook_event_name'),
  );
}

const EXIT = /sys\.exit\(.*\b1\s*\)|process\.exit\(\s*1\s*\)|(?<![\w.-])exit 1\b/g;
const BLOCKING =
  /\b(?:block(?:ed|ing|s)?|den(?:y|ied|ies)|not allowed|forbid(?:den)?|refus(?:e|ed))\b|"continue"/i;

function exitOne({ text }: Seen, { label }: ScriptWords): LintFinding[] {
  return [...text.matchAll(EXIT)].flatMap(({ index, 0: exit }) => {
    const before = text
      .slice(Math.max(0, index - 240), index)
      .split('\n')
      .slice(-3)
      .join('\n');
    if (!BLOCKING.test(before + exit)) return [];
    return [
      {
        code: 'exit-1',
        line: lineAt(text, index),
        message: `Exit code 1 does not block anything: ${label} goes on as if the hook had printed nothing.`,
        fix: 'Exit with 2 and the reason on stderr, or print a JSON answer on stdout and exit with 0.',
      },
    ];
  });
}

const STALE: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  tool_output: ['There is no tool_output.', 'Read tool_response; for built-in tools it is often an object.'],
  stop_reason: ['There is no stop_reason.', 'Read stop_hook_active and last_assistant_message.'],
  subagent_id: ['There is no subagent_id.', 'Read agent_id and agent_type.'],
};

function staleFields({ text }: Seen): LintFinding[] {
  const fields = text.matchAll(/["'.](tool_output|stop_reason|subagent_id)\b/g);
  return [...fields].map(({ index, 1: field = '' }) => {
    const [message, fix] = STALE[field] ?? ['', ''];
    return { code: field.replace('_', '-'), line: lineAt(text, index), message, fix };
  });
}

function misplaced(seen: Seen): LintFinding[] {
  return answers(seen).flatMap((object) => {
    const key = ['permissionDecision', 'updatedInput'].find((word) => object.entries.has(word));
    if (key === undefined || object.under === 'hookSpecificOutput' || object.under === 'decision') return [];
    return [
      {
        code: 'top-level',
        line: lineAt(seen.text, object.entries.get(key)?.offset ?? object.offset),
        message: `${key} at the top of the answer is ignored.`,
        fix: `Put it into hookSpecificOutput, next to hookEventName.`,
      },
    ];
  });
}

/** What tools cannot do without; an input that has none of these is only a part of one. */
const WHOLE: readonly (readonly string[])[] = [
  ['command'],
  ['file_path', 'content'],
  ['file_path', 'old_string', 'new_string'],
  ['notebook_path', 'new_source'],
  ['pattern'],
  ['url', 'prompt'],
  ['query'],
  ['description', 'prompt'],
  ['questions'],
  ['plan'],
];

function partialInput({ objects, text }: Seen): LintFinding[] {
  const inputs = objects.filter(
    ({ under, spread, entries }) => under === 'updatedInput' && !spread && entries.size > 0,
  );
  return inputs
    .filter(({ entries }) => !WHOLE.some((keys) => keys.every((key) => entries.has(key))))
    .map(({ offset }) => ({
      code: 'partial-input',
      line: lineAt(text, offset),
      message: 'updatedInput replaces the whole input; a part of it makes the call fail.',
      fix: 'Copy tool_input and change only what must change.',
    }));
}

function continueFalse(seen: Seen, { label }: ScriptWords): LintFinding[] {
  return answers(seen).flatMap(({ entries, offset }) => {
    if (!/^false$/i.test(entries.get('continue')?.text ?? '')) return [];
    const own = entries.get('hookSpecificOutput')?.object?.entries;
    const refuses =
      /block/.test(entries.get('decision')?.text ?? '') ||
      /deny/.test(own?.get('permissionDecision')?.text ?? '');
    const wants = /\b(?:first|before|must|still|cannot stop|not yet|keep)\b/i.test(
      entries.get('stopReason')?.text ?? '',
    );
    if (!refuses && !wants) return [];
    return [
      {
        code: 'continue-false',
        line: lineAt(seen.text, offset),
        message: refuses
          ? `continue:false ends the turn, so the model never sees the reason.`
          : `continue:false lets ${label} stop, the opposite of keeping it working.`,
        fix: refuses
          ? 'Remove continue; the denial alone is enough.'
          : 'Answer {"decision": "block", "reason": …} to keep the agent from stopping.',
      },
    ];
  });
}

function systemMessage(seen: Seen, { label }: ScriptWords): LintFinding[] {
  return answers(seen).flatMap(({ entries }) => {
    const message = entries.get('systemMessage');
    if (!message || !/\bcontext\b|inject|\byou must\b|\binstruct|\bthe model\b/i.test(message.text))
      return [];
    return [
      {
        code: 'system-message',
        line: lineAt(seen.text, message.offset),
        message: `systemMessage is shown to the user; the model of ${label} never sees it.`,
        fix: 'Use hookSpecificOutput.additionalContext, or the reason of a denial.',
      },
    ];
  });
}

function lostContext({ objects, text }: Seen, words: ScriptWords): LintFinding[] {
  return objects.flatMap(({ entries }) => {
    const context = entries.get('additionalContext');
    const event = unquoted(entries.get('hookEventName')?.text ?? '');
    if (!context || !words.knowsEvent(event) || words.takesContext(event)) return [];
    return [
      {
        code: 'context-lost',
        line: lineAt(text, context.offset),
        message: `${words.label} drops additionalContext on ${event}.`,
        fix: 'Give it on an event that reaches the model, such as the next prompt or tool call.',
      },
    ];
  });
}

function unknownDecision(seen: Seen, { label }: ScriptWords): LintFinding[] {
  return answers(seen).flatMap(({ entries, under }) => {
    const decision = entries.get('decision');
    const word = unquoted(decision?.text ?? '');
    if (!decision || under === 'hookSpecificOutput' || !/^(?:deny|allow|ask)$/.test(word)) return [];
    return [
      {
        code: 'unknown-decision',
        line: lineAt(seen.text, decision.offset),
        message: `${label} does not know the decision "${word}" and drops the whole answer.`,
        fix: 'Use hookSpecificOutput.permissionDecision for tools, and "block" elsewhere.',
      },
    ];
  });
}

function unreadReason({ objects, text }: Seen, { label }: ScriptWords): LintFinding[] {
  return objects.flatMap(({ entries, under }) => {
    const reason = entries.get('reason');
    if (!reason || under !== 'decision' || !entries.has('behavior')) return [];
    return [
      {
        code: 'deny-reason',
        line: lineAt(text, reason.offset),
        message: `${label} does not read "reason" in the answer to a permission request.`,
        fix: 'Give it as "message".',
      },
    ];
  });
}
