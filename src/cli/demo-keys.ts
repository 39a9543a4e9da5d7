import type { Answer, Approval } from '../approvals/approval.ts';
import { approvalLines } from './approval-lines.ts';
import { paint } from './paint.ts';

type DemoKey = { readonly answer: Answer } | 'open' | 'leave' | null;

/** What a key means while this waits, if anything does. */
export function demoKey(key: string, waiting: Approval | null): DemoKey {
  if (key === 'q' || key === '\u0003' || key === '\u0004') return 'leave';
  if (key === 'o') return 'open';
  if (!waiting) return null;
  if (key === 'd') return { answer: { decision: 'deny', message: 'Not now.' } };
  const [question] = waiting.questions;
  if (question) {
    const option = question.options[Number(key) - 1];
    return option ? { answer: { decision: 'allow', answers: { [question.id]: [option.label] } } } : null;
  }
  return key === 'a' ? { answer: { decision: 'allow' } } : null;
}

/** What waits, and the keys that answer it. */
export function demoCard(approval: Approval): string[] {
  const [question] = approval.questions;
  const lines = question
    ? [
        `${paint.bold(approval.source)} asks: ${question.text}`,
        ...question.options.map(
          ({ label, description }, at) => `  ${at + 1}  ${label} ${paint.dim(description)}`,
        ),
      ]
    : approvalLines(approval);
  const keys = question ? '1 … 9 choose, d do not answer' : 'a allow, d deny';
  return ['', ...lines, paint.yellow(`  ${keys}, o open the dashboard, q leave`), ''];
}
