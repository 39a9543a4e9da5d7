import { HooklineError } from '../../model/errors.ts';
import { EVENT_GROUPS, EVENT_TYPES, type HookEvent, isToolEvent } from '../../model/events.ts';
import { nearestName, suggestion } from '../../model/suggestion.ts';
import { TOOL_NAMES } from '../../model/tools.ts';
import { EVENT_DEFAULTS } from './event-defaults.ts';
import type { DescribedEvent } from './event-description.ts';

const WHOSE = ['agent', 'cwd'];
const OF_PAYLOAD = [...WHOSE, 'payload', 'event'];
const OF_CALL = [...WHOSE, 'type', 'tool', 'input', 'response', 'error', 'outcome', 'reason'];
/** Fields that some events have and most clients do not send. */
const RARE = ['stopReason', 'details'];

const isOther = (type: string) => Object.hasOwn(EVENT_DEFAULTS, type);
const CALL_TYPES = EVENT_TYPES.filter((type) => !isOther(type));
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  turn_start: EVENT_GROUPS.turn_start,
  turn_end: EVENT_GROUPS.turn_end,
};
const OTHER_TYPES = [...Object.keys(EVENT_DEFAULTS), ...Object.keys(GROUPS)];

/**
 * Throws USAGE for a description that is misspelt: no hook would be asked about that event, and a test would take that
 * for no decision.
 */
export function assertDescription(described: DescribedEvent): void {
  const given: Readonly<Record<string, unknown>> = { ...described };
  if ('payload' in given) assertKeys(given, OF_PAYLOAD);
  else if ('tool' in given) assertCall(given);
  else assertOther(given);
}

function assertCall(given: Readonly<Record<string, unknown>>): void {
  assertKeys(given, OF_CALL);
  if (given.type !== undefined) assertOneOf(String(given.type), CALL_TYPES, 'type of an event with a tool');
  if (typeof given.input !== 'object' || given.input === null)
    throw slip(
      `The call of ${given.tool} has no input.`,
      'Give its arguments: `input: {}` where it has none.',
    );
}

function assertOther(given: Readonly<Record<string, unknown>>): void {
  const { type } = given;
  if (typeof type !== 'string')
    throw slip(
      'The event has neither `tool` nor `type` nor `payload`.',
      `Its keys: ${shown(Object.keys(given))}.`,
    );
  if (CALL_TYPES.some((one) => one === type))
    throw slip(`An event of the type ${type} is about a tool call.`, 'Give `tool` and `input`.');
  assertOneOf(type, [...OTHER_TYPES, ...CALL_TYPES], 'type of an event');
  const fields = Object.entries(EVENT_DEFAULTS)
    .filter(([one]) => (GROUPS[type] ?? [type]).includes(one))
    .flatMap(([, defaults]) => Object.keys(defaults));
  assertKeys(given, [...WHOSE, 'type', ...fields, ...RARE]);
}

/** Throws for a likely typo: an unknown tool with nearly the name of a known one. */
export function assertTool(event: HookEvent): void {
  if (!isToolEvent(event) || event.tool.kind !== 'other') return;
  const nearest = nearestName(event.tool.name, TOOL_NAMES);
  if (nearest === null || nearest === event.tool.name) return;
  throw slip(
    `Unknown tool ${event.tool.name}; did you mean ${nearest}?`,
    'If the agent has such a tool, pass the captured `payload` instead.',
  );
}

function assertKeys(given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) assertOneOf(key, known, 'key of this event');
}

function assertOneOf(word: string, known: readonly string[], what: string): void {
  if (known.includes(word)) return;
  const near = suggestion(word, known);
  throw slip(`"${word}" is not a ${what}${near === null ? '.' : `; ${near}`}`, `Known: ${shown(known)}.`);
}

function shown(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.join(', ');
}

function slip(message: string, hint: string): HooklineError {
  return new HooklineError('USAGE', message, { hint });
}
