import { type Approval, approvalSubject, settlementText } from '../../approvals/approval.ts';
import { folded } from '../../terminal/fold.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { paint } from './paint.ts';

/** One approval in a few lines, with what a person needs to answer it. */
export function approvalLines(approval: Approval & { readonly place?: string }): string[] {
  const { tool, reason, rules, state } = approval;
  const subject = approvalSubject(approval);
  // Not shortened: the person must see everything they approve.
  const isWhole = tool === null || tool.command !== null || tool.files.length > 0;
  const input = isWhole ? '' : JSON.stringify(tool.input);
  const head = [
    paint.bold(approval.id),
    approval.source,
    approval.place ?? '',
    paint.dim(approval.sessionId.slice(0, 8)),
    tool?.name ?? approval.kind,
  ];
  const end = state === 'pending' ? paint.yellow('waiting') : settlementText(approval);
  return [
    terminalLine(`${head.filter(Boolean).join('  ')}  ${end}`),
    ...[subject, input === subject ? '' : input]
      .filter(Boolean)
      .map((text) => `  ${text.replaceAll('\n', '\n  ')}`),
    ...(reason ? [paint.dim(folded(`  ${reason}`, 2))] : []),
    ...(rules.length > 0 ? [paint.dim(`  rules: ${rules.join(', ')}`)] : []),
  ];
}
