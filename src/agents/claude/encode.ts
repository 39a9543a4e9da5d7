import type { EventOf, HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { Encoded, FileAppend } from '../agent.ts';
import { degradations } from '../degrade.ts';
import { decide, refusalText, refuse } from './decision.ts';
import { answerOf, type Draft, newDraft } from './draft.ts';
import { type FieldKind, type Form, formOf } from './forms.ts';
import { nativeEventName } from './names.ts';
import { replacementFor } from './output.ts';
import { supports } from './supports.ts';

const CLIENT = { label: 'Claude Code', supports };

type Env = Readonly<Record<string, string>>;

/** Says a response in the words that 2.1.325 honours on this event, and nothing else. Never throws. */
export function encode(event: HookEvent, response: HookResponse, env: Env): Encoded {
  if (event.type === 'unknown') return encodeUnreadable(event, response);
  const form = formOf(event.nativeEvent) ?? {};
  const draft = newDraft(event.nativeEvent);
  decide(event, form, response, draft);
  haltTurn(event, form, response, draft);
  addContext(form, response, draft);
  if (form.systemMessage && response.systemMessage) {
    draft.top.systemMessage = response.systemMessage;
    draft.told.add('systemMessage');
  }
  replaceOutput(event, response, draft);
  addFields(form, response, draft);
  return finish(event, response, draft, exportLines(form, response, env, draft));
}

// Refusing these guards nothing: the call has happened, or the agent would only be kept from resting.
const UNGUARDED: ReadonlySet<string> = new Set([
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SubagentStop',
  'TeammateIdle',
]);

/** An event we cannot read passes, unless it is one that can be refused and the answer to bad payloads is no. */
function encodeUnreadable(event: EventOf<'unknown'>, response: HookResponse): Encoded {
  const name = nativeEventName({ event: event.nativeEvent, payload: event.native }) ?? event.nativeEvent;
  const draft = newDraft(name);
  const form = event.problem === null || UNGUARDED.has(name) ? null : formOf(name);
  if (form && response.decision === 'deny') {
    refuse(form, draft, refusalText(form, response, draft));
    if (draft.refused) draft.told.add('deny');
  }
  return finish(event, response, draft, []);
}

function finish(
  event: HookEvent,
  response: HookResponse,
  draft: Draft,
  appends: readonly FileAppend[],
): Encoded {
  return {
    answer: answerOf(draft),
    degraded: degradations(CLIENT, event.type, response, draft.told, draft.reasons),
    appends,
  };
}

function haltTurn(event: HookEvent, form: Form, response: HookResponse, draft: Draft): void {
  if (response.halt === undefined || form.halt === undefined) return;
  const why = response.halt || 'Halted by Hookline.';
  if (form.halt === 'refuse') {
    if (!draft.refused) refuse(form, draft, why);
    return;
  }
  draft.top.continue = false;
  draft.top.stopReason = why;
  // The tool of an event that is not refused runs first, and only then the turn ends.
  if (event.type !== 'before_tool' || draft.refused) draft.told.add('halt');
}

function addContext(form: Form, response: HookResponse, draft: Draft): void {
  if (!response.context || form.context === undefined || form.context === 'in-refusal') return;
  if (form.context === 'unless-refused' && (draft.refused || draft.top.continue === false)) {
    draft.reasons.set('context', 'The prompt is not sent, and nothing goes to the model without it.');
    return;
  }
  draft.own.additionalContext = response.context;
  draft.told.add('context');
}

function replaceOutput(event: HookEvent, response: HookResponse, draft: Draft): void {
  const wanted = response.replaceOutput;
  if (wanted === undefined) return;
  if (event.type === 'message_display') {
    if (typeof wanted !== 'string') {
      draft.reasons.set('replaceOutput', 'Only a text can be shown in place of a message.');
      return;
    }
    draft.own.displayContent = wanted;
    draft.told.add('replaceOutput');
  } else if (event.type === 'after_tool') {
    if (event.nativeEvent !== 'PostToolUse') {
      draft.reasons.set('replaceOutput', 'The output of a call that failed cannot be replaced.');
      return;
    }
    const replacement = replacementFor(event.tool, wanted);
    if (!replacement.ok) {
      draft.reasons.set('replaceOutput', replacement.reason);
      return;
    }
    draft.own.updatedToolOutput = replacement.output;
    draft.told.add('replaceOutput');
  }
}

function exportLines(form: Form, response: HookResponse, env: Env, draft: Draft): FileAppend[] {
  const variables = Object.entries(response.env ?? {});
  if (variables.length === 0 || !form.env) return [];
  const path = env.CLAUDE_ENV_FILE;
  if (!path) {
    draft.reasons.set('env', 'This call came without CLAUDE_ENV_FILE.');
    return [];
  }
  const [good, bad] = [variables.filter(isExportable), variables.filter((pair) => !isExportable(pair))];
  if (bad.length === 0) draft.told.add('env');
  else draft.reasons.set('env', `Not exportable: ${bad.map(([name]) => JSON.stringify(name)).join(', ')}.`);
  if (good.length === 0) return [];
  // Begins on a line of its own, whatever another hook left at the end of the file.
  const text = good.map(([name, value]) => `\nexport ${name}='${value.replaceAll("'", "'\\''")}'`).join('');
  return [{ path, text: `${text}\n` }];
}

function isExportable([name, value]: readonly [string, unknown]): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof value === 'string' && !value.includes('\0');
}

/** Fields that only this client has, sent as they are where it reads them. They never overrule a decision. */
function addFields(form: Form, response: HookResponse, draft: Draft): void {
  const wanted = Object.entries(response.native?.claude ?? {});
  if (wanted.length === 0) return;
  const left: string[] = [];
  for (const [key, value] of wanted) {
    if (draft.stderr === null && key === 'terminalSequence' && form.terminal && typeof value === 'string') {
      draft.top[key] = value;
    } else if (isField(form, key, value) && mayAdd(key, response, draft)) {
      draft.own[key] = value;
    } else {
      left.push(key);
    }
  }
  if (left.length > 0) {
    draft.reasons.set('native', `${draft.nativeEvent} does not take ${left.join(', ')} as given.`);
  }
}

function isField(form: Form, key: string, value: unknown): boolean {
  if (!form.fields || !Object.hasOwn(form.fields, key)) return false;
  const kind: FieldKind | undefined = form.fields[key];
  if (kind === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === kind;
}

function mayAdd(key: string, response: HookResponse, draft: Draft): boolean {
  if (draft.stderr !== null) return false;
  return key !== 'retry' || response.decision === 'none' || response.decision === 'allow';
}
