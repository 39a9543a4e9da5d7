import * as v from 'valibot';
import { merge } from '../../model/merge.ts';
import { type HookResponse, none } from '../../model/responses.ts';

const NOTES = {
  reason: v.optional(v.string()),
  systemMessage: v.optional(v.string()),
  continue: v.optional(v.boolean()),
  stopReason: v.optional(v.string()),
};
const verdict = v.union([
  v.looseObject({ ...NOTES, ok: v.boolean() }),
  v.looseObject({ ...NOTES, decision: v.picklist(['approve', 'allow', 'block', 'deny', 'ask']) }),
  v.looseObject({ ...NOTES, continue: v.boolean() }),
]);
type Verdict = v.InferOutput<typeof verdict>;

/**
 * Parses a model's answer in any of the requested forms, alone or within other text. If there are several, the
 * strictest applies. Throws for anything else, because a guess would be an opinion.
 */
export function readVerdict(text: string, mayAllow: boolean): HookResponse {
  const given = objectsIn(text).flatMap((object) => {
    const parsed = v.safeParse(verdict, object);
    return parsed.success ? [parsed.output] : [];
  });
  if (given.length === 0) throw new Error("the model's response has the wrong format");
  return given.map((one) => responseTo(one, mayAllow)).reduce(merge, none());
}

function responseTo(given: Verdict, mayAllow: boolean): HookResponse {
  const reason = given.reason || 'A prompt hook objects.';
  const rest = {
    ...(given.systemMessage ? { systemMessage: given.systemMessage } : {}),
    ...(given.continue === false ? { halt: given.stopReason ?? reason } : {}),
  };
  switch (wordOf(given)) {
    case 'approve':
      // A model can be persuaded by what it reads, so by default its answer can only tighten.
      return mayAllow
        ? { decision: 'allow', ...(given.reason ? { reason } : {}), ...rest }
        : { decision: 'none', ...rest };
    case 'block':
      return { decision: 'deny', reason, ...rest };
    case 'ask':
      return { decision: 'ask', reason, ...rest };
    case null:
      return { decision: 'none', ...rest };
  }
}

function wordOf(given: Verdict): 'approve' | 'block' | 'ask' | null {
  if ('ok' in given && typeof given.ok === 'boolean') return given.ok ? 'approve' : 'block';
  switch ('decision' in given ? given.decision : null) {
    case 'approve':
    case 'allow':
      return 'approve';
    case 'block':
    case 'deny':
      return 'block';
    case 'ask':
      return 'ask';
    default:
      return null;
  }
}

const MOST_TEXT = 50_000;
/** Limit of braces that may start an object, because reading a text of only braces would take quadratic time. */
const MOST_TRIES = 100;

/** The top-level JSON objects in a text, because models put them into sentences and code fences. */
function objectsIn(text: string): readonly unknown[] {
  const found: unknown[] = [];
  const searched = text.slice(0, MOST_TEXT);
  let at = searched.indexOf('{');
  for (let tries = 0; at !== -1 && tries < MOST_TRIES; tries++) {
    const end = endOfObject(searched, at);
    const object = end === null ? undefined : parsed(searched.slice(at, end));
    if (object !== undefined) found.push(object);
    at = searched.indexOf('{', object === undefined || end === null ? at + 1 : end);
  }
  return found;
}

/** Index after the brace that closes the one at `start`; null if there is none. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
