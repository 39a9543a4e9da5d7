import * as v from 'valibot';
import type { Decision, HookResponse } from './responses.ts';

type Shape = <const E extends v.ObjectEntries>(
  entries: E,
) => v.StrictObjectSchema<E, undefined> | v.ObjectSchema<E, undefined>;

export const decisionSchema: v.GenericSchema<unknown, Decision> = v.picklist([
  'none',
  'allow',
  'deny',
  'ask',
]);

/** A response from a user's code: a misspelled key must not count as no decision. */
export const givenResponse: v.GenericSchema<unknown, HookResponse> = responseSchema(
  v.strictObject,
  v.optional(decisionSchema, 'none'),
);

/** A stored response, possibly from another version: drops unknown keys. */
export const storedResponse: v.GenericSchema<unknown, HookResponse> = responseSchema(
  v.object,
  decisionSchema,
  // Hookline's own, for the user. Hooks can't set it.
  { explanation: v.exactOptional(v.string()) },
);

function responseSchema(
  shape: Shape,
  decision: v.GenericSchema<unknown, Decision>,
  more: v.ObjectEntries = {},
): v.GenericSchema<unknown, HookResponse> {
  const text = v.exactOptional(v.string());
  const fields = v.record(v.string(), v.unknown());
  const grant = shape({
    behavior: v.picklist(['allow', 'deny', 'ask']),
    tool: v.string(),
    pattern: v.nullable(v.string()),
    scope: v.picklist(['session', 'project', 'user']),
  });
  const toolConfig = shape({
    mode: v.exactOptional(v.picklist(['AUTO', 'ANY', 'NONE'])),
    allowedFunctionNames: v.exactOptional(v.array(v.string())),
  });
  return shape({
    ...more,
    decision,
    reason: text,
    context: text,
    systemMessage: text,
    modifyArgs: v.exactOptional(fields),
    halt: text,
    replaceOutput: v.exactOptional(v.unknown()),
    grants: v.exactOptional(v.array(grant)),
    llmRequest: v.exactOptional(fields),
    llmResponse: v.exactOptional(fields),
    toolConfig: v.exactOptional(toolConfig),
    env: v.exactOptional(v.record(v.string(), v.string())),
    triggerAction: text,
    suppressOutput: v.exactOptional(v.boolean()),
    native: v.exactOptional(v.record(v.string(), fields)),
    metadata: v.exactOptional(fields),
  });
}
