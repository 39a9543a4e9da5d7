import type { ToolKind, ToolResult } from '../../model/tools.ts';
import { isObject } from '../loose-json.ts';

type Outcome = Pick<ToolResult, 'error' | 'outcome'>;

/**
 * The end of what the model is told of a command. 0.61.0 sets no `error` when a command fails: only these lines tell.
 * They count at the very end, because the command's own output stands before them and may say anything.
 */
const SHELL_END =
  /\n(?:Exit Code: (\d+)\n)?(?:Signal: ([^\n]+)\n)?(?:Background PIDs: [^\n]*\n)?Process Group PGID: [^\n]*(?:\n<\/untrusted_context>)?(?:\s*\[System\][^\n]*)?\s*$/;

const CANCELLED = /^(?:<untrusted_context>\s*)?Command was (?:cancelled by user|automatically cancelled)/;

/** How a call went, as far as its response tells. */
export function outcomeOf(kind: ToolKind, response: unknown): Outcome {
  if (!isObject(response)) return { error: null, outcome: response === null ? 'unknown' : 'ok' };
  const { error, llmContent } = response;
  if (isObject(error)) {
    const message = typeof error.message === 'string' ? error.message : 'The tool failed.';
    return { error: message, outcome: 'failed' };
  }
  return kind === 'shell' && typeof llmContent === 'string'
    ? shellOutcome(llmContent)
    : { error: null, outcome: 'ok' };
}

function shellOutcome(text: string): Outcome {
  if (CANCELLED.test(text)) return { error: 'The command was cancelled.', outcome: 'interrupted' };
  const [, exitCode, signal] = SHELL_END.exec(text) ?? [];
  if (signal) return { error: `Signal: ${signal}`, outcome: 'failed' };
  if (exitCode && exitCode !== '0') return { error: `Exit Code: ${exitCode}`, outcome: 'failed' };
  return { error: null, outcome: 'ok' };
}

/** The exit code that the text about a command ends with; 0 when it ends without one, null when it is no such text. */
export function exitCodeOf(text: string): number | null {
  const end = SHELL_END.exec(text);
  return end === null || end[2] !== undefined ? null : Number(end[1] ?? 0);
}

/** What the command itself printed, out of the text about it. */
export function printedBy(text: string): string {
  return text
    .replace(SHELL_END, '')
    .replace(/^<untrusted_context>\s*/, '')
    .replace(/^Output: (?:\(empty\)$)?/, '');
}
