import { createHash } from 'node:crypto';
import { type Approval, approvalSubject, type ShownApproval } from '../../approvals/approval.ts';
import type { Detail } from '../../home/channel-settings.ts';
import type { Change } from '../../model/changes.ts';
import { beginningOf, clockTime } from '../../model/text.ts';
import { redact } from '../../redact/redact.ts';
import { visible, visibleLine } from '../../terminal/visible.ts';
import type { Notice } from './notice.ts';

/** What somebody elsewhere gets to see of an approval. */
export interface CardText {
  readonly title: string;
  readonly text: string;
  /** Nothing of it was left out: what cannot be seen there cannot be allowed there. */
  readonly isWhole: boolean;
}

/** Slack takes 3000 characters, ntfy 4096 bytes. */
const MOST_CHARS = 2_700;
const MOST_BYTES = 3_600;
const CUT = '\n… (there is more: open it to see all)';

/** An approval in the words of a notification. It has been redacted; once more, because it is put together anew. */
export function cardText(approval: ShownApproval, detail: Detail): CardText {
  if (detail === 'none') return { title: 'Hookline', text: 'Something waits for you.', isWhole: false };
  const title = visibleLine(redact([approval.source, approval.place].filter(Boolean).join(' · ')));
  const waits = `Waits until ${clockTime(approval.expiresAt).slice(0, 5)}.`;
  const what = approval.tool?.name ?? approval.kind;
  if (detail === 'title') return { title, text: `${what}. ${waits}`, isWhole: false };
  const whole = visible(redact(bodyOf(approval, what)));
  const { text, isCut } = fitted(whole);
  return { title, text: `${text}${isCut ? CUT : ''}\n${waits}`, isWhole: !isCut && canBeAllowed(approval) };
}

/** A question wants more of an answer than yes. */
export function canBeAllowed({ kind }: Approval): boolean {
  return kind === 'permission' || kind === 'plan';
}

function bodyOf(approval: ShownApproval, what: string): string {
  const { tool, changes, runsWith, reason } = approval;
  const subject = approvalSubject(approval);
  const parts = [
    tool?.command == null ? `${what}${changes.length > 0 ? '' : ` ${subject}`}` : `$ ${tool.command}`,
    ...changes.map(diffOf),
    // What has neither a command nor files is known by its arguments.
    ...(tool && tool.command === null && changes.length === 0 ? [JSON.stringify(tool.input, null, 1)] : []),
    ...(tool?.command != null && tool.files.length > 0
      ? tool.files.map(({ op, path }) => `${op} ${path}`)
      : []),
    ...runsWith.map((option) => `with ${option}`),
    ...(reason === null ? [] : [reason]),
  ];
  return parts.join('\n');
}

function diffOf({ path, lines }: Change): string {
  return [path, ...lines.map(({ mark, text }) => `${mark}${text}`)].join('\n');
}

function fitted(text: string): { readonly text: string; readonly isCut: boolean } {
  let short = beginningOf(text, MOST_CHARS);
  while (Buffer.byteLength(short) > MOST_BYTES) short = beginningOf(short, Math.floor(short.length * 0.9));
  return { text: short, isCut: short !== text };
}

/** Of exactly what was shown, and of what it stands for. */
export function cardHash(approval: Approval, { title, text }: CardText): string {
  const { id, kind, source, sessionId, cwd, projectId, tool, question, questions, expiresAt } = approval;
  const about = [id, kind, source, sessionId, cwd, projectId, tool, question, questions, expiresAt];
  return createHash('sha256')
    .update(JSON.stringify([title, text, about]))
    .digest('hex');
}

const BRIEFLY: Readonly<Record<Notice['occasion'], string>> = {
  approval: 'Something waits for you.',
  turn: 'An agent is done.',
  failure: 'An agent broke off.',
};

/** A notice with as much in it as the user lets out. */
export function noticeWith(detail: Detail, notice: Notice): Notice {
  if (detail === 'full') return notice;
  const text = BRIEFLY[notice.occasion];
  return detail === 'title' ? { ...notice, text } : { ...notice, title: 'Hookline', text };
}
