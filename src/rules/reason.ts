import type { HookEvent } from '../model/events.ts';
import { isToolEvent } from '../model/events.ts';
import type { Rule } from './rule.ts';

const VERBS = { deny: 'stops', ask: 'asks a person about', allow: 'allows' } as const;
const NO_NEXT = 'Do it another way, or tell the person what you need and why.';

/**
 * What an agent reads: what was stopped, why, what to do instead, and that a rule of Hookline said so. The
 * instruction comes early, because some agents show the model only the beginning.
 */
export function reasonFor(rule: Rule, event: HookEvent): string | undefined {
  const { decision, reason } = rule.response;
  if (decision === 'none' || reason === undefined) return reason;
  const why = /[.!?]$/.test(reason.trim()) ? reason.trim() : `${reason.trim()}.`;
  if (decision === 'allow') return `${why} (Hookline rule ${rule.id})`;
  const next = rule.next ?? (decision === 'deny' && isToolEvent(event) ? NO_NEXT : null);
  const instead = next === null ? '' : ` Instead: ${next}`;
  const subject = subjectOf(event);
  return `${why}${instead} (Hookline rule ${rule.id} ${VERBS[decision]} ${subject})`;
}

function subjectOf(event: HookEvent): string {
  if (!isToolEvent(event)) return 'this';
  const { name, command, files } = event.tool;
  return command === null ? [name, files[0]?.path].filter(Boolean).join(' ') : `\`${shortened(command)}\``;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
