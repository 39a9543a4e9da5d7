import * as v from 'valibot';
import { givenResponse } from '../model/response-schema.ts';
import type { HookResponse } from '../model/responses.ts';

/** Parses a hook's response strictly, so that a misspelled key doesn't pass for no decision. */
export function parseResponse(value: unknown): HookResponse {
  if (value === undefined || value === null) return { decision: 'none' };
  const parsed = v.safeParse(givenResponse, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw new Error(
    place === null
      ? 'its response is invalid'
      : `its response has a ${place} that is not ${issue.expected === 'never' ? 'known' : issue.expected}`,
  );
}
