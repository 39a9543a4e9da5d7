import type { ToolCall } from '../model/tools.ts';
import { BoundedMap } from '../platform/bounded.ts';
import { secretsIn } from '../redact/redact.ts';
import { textWritten } from './written.ts';

/** Tools that pass on what they are given; what is only looked up goes nowhere. */
const PASSES_ON =
  /send|post|create|publish|upload|comment|reply|message|mail|share|push|put|submit|request|fetch|write/i;
/** Every secret has one of these: nearly all texts have none. */
const HINT = /-----BEGIN|[A-Za-z0-9_-]{16}/;

const remembered = new BoundedMap<string, boolean>(64);

/** Whether a file tool writes, or a tool of a server is given, what can be nothing but a key or a token. */
export function givesSecret(tool: ToolCall): boolean {
  const text = tool.kind === 'write' ? textWritten(tool) : givenText(tool);
  if (text === null || !HINT.test(text)) return false;
  let holds = remembered.get(text);
  if (holds === undefined) {
    holds = secretsIn(text).some((kind) => kind !== 'jwt');
    remembered.set(text, holds);
  }
  return holds;
}

const LONGEST = 32 * 1024;

function givenText({ kind, input, mcp, nativeName }: ToolCall): string | null {
  if (kind !== 'network' && (kind !== 'mcp' || !PASSES_ON.test(mcp?.tool ?? nativeName))) return null;
  return JSON.stringify(input).slice(0, LONGEST);
}
