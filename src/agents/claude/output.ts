import type { ToolResult } from '../../model/tools.ts';
import { isObject } from '../loose-json.ts';

/** A new output in the shape that the tool has, or why there is none. */
export type Replacement =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly reason: string };

/**
 * 2.1.325 checks a replaced output against the tool's own shape and drops one that differs, so that the model would
 * see what it was not to see. Texts are put where the tool has its text; anything else must match what was there.
 */
export function replacementFor(tool: ToolResult, wanted: unknown): Replacement {
  if (tool.mcp) return replaceMcp(tool.response, wanted);
  const original = tool.response;
  if (typeof wanted === 'string' && typeof original !== 'string') {
    const output = isObject(original) ? withText(tool.name, original, wanted) : null;
    if (output) return { ok: true, output };
    return { ok: false, reason: `${tool.name} has no single text to replace: give all of its output.` };
  }
  if (sameShape(original, wanted)) return { ok: true, output: wanted };
  return { ok: false, reason: `The new output does not have the shape of ${tool.name}'s output.` };
}

function replaceMcp(original: unknown, wanted: unknown): Replacement {
  if (typeof wanted === 'string') {
    return { ok: true, output: Array.isArray(original) ? [{ type: 'text', text: wanted }] : wanted };
  }
  if (Array.isArray(wanted) && wanted.every((block) => isObject(block) && typeof block.type === 'string')) {
    return { ok: true, output: wanted };
  }
  return { ok: false, reason: 'An MCP tool answers with a text or a list of content blocks.' };
}

function withText(name: string, original: Record<string, unknown>, text: string): unknown {
  switch (name) {
    case 'Bash': {
      // The paths lead to the whole output on disk, which is what was to be replaced.
      const { rawOutputPath: _, persistedOutputPath: __, persistedOutputSize: ___, ...rest } = original;
      return { ...rest, stdout: text, stderr: '', ...('isImage' in rest ? { isImage: false } : {}) };
    }
    case 'Read': {
      if (original.type !== 'text' || !isObject(original.file)) return null;
      const numLines = text.split('\n').length;
      return { ...original, file: { ...original.file, content: text, numLines, totalLines: numLines } };
    }
    case 'WebFetch':
      return typeof original.result === 'string' ? { ...original, result: text } : null;
    default:
      return null;
  }
}

/** Every key that was there is there again, with the same kind of value. */
function sameShape(original: unknown, wanted: unknown): boolean {
  if (!isObject(original) || !isObject(wanted))
    return typeof original === typeof wanted && !isObject(original);
  return Object.entries(original).every(
    ([key, value]) => Object.hasOwn(wanted, key) && (value === null || kindOf(value) === kindOf(wanted[key])),
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}
