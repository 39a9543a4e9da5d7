import * as v from 'valibot';
import type { ShownApproval } from '../../approvals/approval.ts';
import type { ToolCall } from '../../model/tools.ts';
import { sha256 } from '../../platform/sha256.ts';

/*
 * Messages between machines about approvals. Any machine of the team can send anything, so only messages of exactly
 * this form are accepted.
 */

const text = v.string();
const maybe = v.nullable(text);
/** The latest possible date. */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));
/** Longest delay that a timer accepts. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
const any = v.record(v.string(), v.unknown());

const tool: v.GenericSchema<unknown, ToolCall> = v.object({
  name: text,
  nativeName: text,
  kind: v.picklist([
    'shell',
    'read',
    'write',
    'search',
    'network',
    'mcp',
    'agent',
    'question',
    'plan',
    'task',
    'other',
  ]),
  input: any,
  useId: maybe,
  mcp: v.nullable(
    v.object({
      server: text,
      tool: text,
      origin: v.exactOptional(v.object({ command: maybe, args: v.array(text), cwd: maybe, url: maybe })),
    }),
  ),
  command: maybe,
  cwd: v.exactOptional(text),
  files: v.array(
    v.object({
      op: v.picklist(['read', 'create', 'write', 'edit', 'delete', 'move']),
      path: text,
      to: v.exactOptional(text),
    }),
  ),
});

const shown: v.GenericSchema<unknown, ShownApproval> = v.object({
  id: v.pipe(text, v.regex(/^[\da-f]{1,16}$/)),
  eventId: text,
  kind: v.picklist(['permission', 'question', 'plan', 'elicitation']),
  source: text,
  sessionId: text,
  agentId: maybe,
  promptNumber: v.number(),
  toolNumber: v.number(),
  projectId: maybe,
  cwd: maybe,
  tool: v.nullable(tool),
  question: maybe,
  questions: v.array(
    v.object({
      id: text,
      text,
      options: v.array(v.object({ label: text, description: text })),
      multiple: v.boolean(),
    }),
  ),
  reason: maybe,
  rules: v.array(text),
  suggestions: v.array(any),
  asksPermission: v.boolean(),
  createdAt: time,
  expiresAt: time,
  state: v.literal('pending'),
  settledAt: v.null(),
  settledBy: v.null(),
  answer: v.null(),
  place: text,
  changes: v.array(
    v.object({
      path: text,
      lines: v.array(v.object({ mark: v.picklist(['-', '+', ' ', '@']), text })),
    }),
  ),
  covers: maybe,
  asked: v.nullable(v.object({ prompt: text, turn: v.number() })),
  marks: v.array(v.tuple([v.number(), v.number()])),
  runsWith: v.array(text),
  destructive: v.boolean(),
  group: text,
});

/** The message of a machine about its pending approval. */
export const pendingMessage = v.object({
  /** Name of the machine. */
  name: text,
  /** An approval as its surfaces show it, as JSON. An answer refers to exactly this text. */
  shown: text,
  mayAllow: v.boolean(),
  /** Remaining time, which doesn't depend on the clocks. Older versions don't send it. */
  leftMs: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_TIMER_MS))),
});

/** The approval in a pending message; null if it isn't one. */
export function parseShown(given: string): ShownApproval | null {
  const parsed = v.safeParse(v.pipe(text, v.parseJson(), shown), given);
  return parsed.success ? parsed.output : null;
}

const end = v.object({ state: v.picklist(['allowed', 'denied', 'expired', 'withdrawn']), by: maybe });
/** How an approval ended, and by whom. */
export type End = v.InferOutput<typeof end>;

export const endedMessage = v.object({ id: text, end });

export const answerMessage = v.object({
  id: text,
  decision: v.picklist(['allow', 'deny']),
  /** Hash of the approval as the person saw it. */
  shown: text,
  /** The person who answered. */
  by: v.pipe(text, v.maxLength(200)),
  message: v.exactOptional(v.pipe(text, v.maxLength(10_000))),
  /** Returned with the verdict. */
  nonce: v.pipe(text, v.maxLength(64)),
});

export const verdictMessage = v.object({
  nonce: text,
  counts: v.boolean(),
  words: text,
  /** Set if the approval has ended: another answer may have come first. */
  end: v.nullable(end),
});
export type Verdict = v.InferOutput<typeof verdictMessage>;

export const hereMessage = v.object({ name: text });

/** A home announces itself to others with the same key. */
export const selfMessage = v.object({
  /** Nonce of the process. */
  nonce: v.pipe(text, v.maxLength(64)),
  host: v.pipe(text, v.maxLength(1_000)),
  home: v.pipe(text, v.maxLength(10_000)),
});

/** Hash of exactly what was shown. */
export function shownHash(given: string): string {
  return sha256(given);
}
