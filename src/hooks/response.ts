import * as v from 'valibot';
import type { HookResponse } from '../model/responses.ts';

const fields = v.record(v.string(), v.unknown());
const text = v.exactOptional(v.string());

const response: v.GenericSchema<unknown, HookResponse> = v.strictObject({
  decision: v.optional(v.picklist(['none', 'allow', 'deny', 'ask']), 'none'),
  reason: text,
  context: text,
  systemMessage: text,
  modifyArgs: v.exactOptional(fields),
  halt: text,
  replaceOutput: v.exactOptional(v.unknown()),
  grants: v.exactOptional(
    v.array(
      v.strictObject({
        behavior: v.picklist(['allow', 'deny', 'ask']),
        tool: v.string(),
        pattern: v.nullable(v.string()),
        scope: v.picklist(['session', 'project', 'user']),
      }),
    ),
  ),
  llmRequest: v.exactOptional(fields),
  llmResponse: v.exactOptional(fields),
  toolConfig: v.exactOptional(
    v.strictObject({
      mode: v.exactOptional(v.picklist(['AUTO', 'ANY', 'NONE'])),
      allowedFunctionNames: v.exactOptional(v.array(v.string())),
    }),
  ),
  env: v.exactOptional(v.record(v.string(), v.string())),
  triggerAction: text,
  native: v.exactOptional(v.record(v.string(), fields)),
  metadata: v.exactOptional(fields),
});

/** What somebody's code gave back, read strictly: a misspelt key must not pass for no opinion. */
export function parseResponse(value: unknown): HookResponse {
  if (value === undefined || value === null) return { decision: 'none' };
  const parsed = v.safeParse(response, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw new Error(
    place === null
      ? 'what it gave back is not a response'
      : `what it gave back has a ${place} that is not ${issue.expected === 'never' ? 'known' : issue.expected}`,
  );
}
