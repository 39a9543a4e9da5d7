import * as v from 'valibot';
import { text } from '../kit/decoding.ts';

/** What a dispatcher script asks permission for, without naming a tool. */
const resourceRequest = v.looseObject({
  resource: v.picklist(['file', 'directory', 'command']),
  action: v.nullish(v.string(), 'execute'),
  target: v.pipe(v.string(), v.minLength(1)),
  reason: text,
});

/** The payload with the tool that would do it, so that rules on commands and files apply. Others pass as they are. */
export function withTool(payload: unknown): unknown {
  const read = v.safeParse(resourceRequest, payload);
  if (!read.success || 'tool_name' in read.output) return payload;
  const { resource, action, target, reason } = read.output;
  const remark = reason ? { description: reason } : {};
  const [tool_name, tool_input] =
    resource === 'command' || action === 'execute'
      ? ['Bash', { command: target }]
      : // An action that is not known may change things.
        [action === 'read' ? 'Read' : 'Write', { file_path: target }];
  return { ...read.output, tool_name, tool_input: { ...tool_input, ...remark } };
}
