import type { Approval } from '../approvals/approval.ts';
import { paint } from './paint.ts';

/** One approval in a few lines, as a person wants to see it before answering. */
export function approvalLines(approval: Approval): string[] {
  const { tool, question, reason, rules, state, settledBy } = approval;
  const subject =
    tool?.command ?? tool?.files.map(({ op, path }) => `${op} ${path}`).join(', ') ?? question ?? '';
  const head = [
    paint.bold(approval.id),
    approval.source,
    paint.dim(approval.sessionId.slice(0, 8)),
    tool?.name ?? approval.kind,
  ];
  const end =
    state === 'pending' ? paint.yellow('waiting') : `${state}${settledBy ? ` by ${settledBy}` : ''}`;
  return [
    `${head.join('  ')}  ${end}`,
    ...(subject ? [`  ${subject.replaceAll('\n', '\n  ')}`] : [`  ${JSON.stringify(tool?.input ?? {})}`]),
    ...(reason ? [paint.dim(`  ${reason}`)] : []),
    ...(rules.length > 0 ? [paint.dim(`  rules: ${rules.join(', ')}`)] : []),
  ];
}
