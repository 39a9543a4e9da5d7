import { type Approval, approvalSubject, type ShownApproval, settlementText } from '../approvals/approval.ts';
import type { Change } from '../model/changes.ts';
import { beginningOf, untilText } from '../model/text.ts';
import type { ToolCall } from '../model/tools.ts';
import { sha256 } from '../platform/sha256.ts';
import { redact } from '../redact/redact.ts';
import { visible, visibleLine } from '../terminal/visible.ts';
import type { Notice } from './notice.ts';
import type { Detail } from './settings.ts';

/** An approval as shown on a notification channel. The buttons are in the channel's own file. */
export interface CardText {
  readonly title: string;
  readonly text: string;
  /** True if nothing was left out: only what is shown in full can be allowed there. */
  readonly isWhole: boolean;
}

/** Slack takes 3000 characters, ntfy 4096 bytes. */
const MOST_CHARS = 2_700;
const MOST_BYTES = 3_600;
const CUT = '\n… (shortened; open it to see all)';

const HIDDEN = "\n(A possible secret is hidden, so you can't allow this here.)";

/**
 * An approval as a notification. Redacts it again, because the text is newly composed.
 * @param call the unredacted call: a redacted part may be what it does
 */
export function cardText(approval: ShownApproval, detail: Detail, call: Approval = approval): CardText {
  if (detail === 'none') return { title: 'Hookline', text: 'An approval is pending.', isWhole: false };
  const title = visibleLine(redact([approval.source, approval.place].filter(Boolean).join(' · ')));
  // Not relative to today: an answer is checked against this text, even after midnight.
  const waits = `Pending until ${untilText(approval.expiresAt, approval.createdAt)}.`;
  const what = approval.tool?.name ?? approval.kind;
  if (detail === 'title') return { title, text: `${what}. ${waits}`, isWhole: false };
  const body = bodyOf(approval, what);
  const isHidden = hides(approval, call, body);
  const { text, isCut } = fitted(visible(redact(body)));
  const isWhole = !isCut && !isHidden && canBeAllowed(approval);
  return { title, text: `${text}${isCut ? CUT : ''}${isHidden ? HIDDEN : ''}\n${waits}`, isWhole };
}

/** True if something shown to a person was redacted, because that may be what the call does. */
export function hides(shown: ShownApproval, call: Approval, body: string): boolean {
  return redact(body) !== body || JSON.stringify(shown.tool) !== JSON.stringify(call.tool);
}

/** A question needs more of an answer than allow. */
export function canBeAllowed({ kind }: Approval): boolean {
  return kind === 'permission' || kind === 'plan';
}

function bodyOf(approval: ShownApproval, what: string): string {
  const { tool, changes, runsWith, reason } = approval;
  const subject = approvalSubject(approval);
  const parts = [
    tool?.command == null ? `${what}${changes.length > 0 ? '' : ` ${subject}`}` : `$ ${tool.command}`,
    ...changes.map(diffOf),
    ...(tool && changes.length > 0 ? switchesOf(tool, changes) : []),
    // A call with neither a command nor files is described by its arguments.
    ...(tool && tool.command === null && changes.length === 0 ? [JSON.stringify(tool.input, null, 1)] : []),
    ...(tool?.command != null && tool.files.length > 0
      ? tool.files.map(({ op, path }) => `${op} ${path}`)
      : []),
    ...runsWith.map((option) => `with ${option}`),
    ...(reason === null ? [] : [reason]),
  ];
  return parts.join('\n');
}

const LONGEST_SWITCH = 60;

/** Short arguments that no line of the change shows, such as whether to replace one match or all. */
function switchesOf({ input }: ToolCall, changes: readonly Change[]): readonly string[] {
  const shown = changes.map(diffOf).join('\n');
  return Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === 'object' ? '' : String(value);
    const isShort = text !== '' && text.length <= LONGEST_SWITCH && !text.includes('\n');
    return isShort && !shown.includes(text) ? `with ${name}: ${text}` : [];
  });
}

function diffOf({ path, lines }: Change): string {
  return [path, ...lines.map(({ mark, text }) => `${mark}${text}`)].join('\n');
}

function fitted(text: string): { readonly text: string; readonly isCut: boolean } {
  let short = beginningOf(text, MOST_CHARS);
  while (Buffer.byteLength(short) > MOST_BYTES) short = beginningOf(short, Math.floor(short.length * 0.9));
  return { text: short, isCut: short !== text };
}

/** Covers exactly what was shown, and what it represents. */
export function cardHash(approval: Approval, { title, text }: CardText): string {
  const { id, kind, source, sessionId, cwd, projectId, tool, question, questions, expiresAt } = approval;
  const about = [id, kind, source, sessionId, cwd, projectId, tool, question, questions, expiresAt];
  return sha256(JSON.stringify([title, text, about]));
}

const BRIEFLY: Readonly<Record<Notice['occasion'], string>> = {
  approval: 'An approval is pending.',
  turn: 'An agent finished.',
  failure: 'An agent failed.',
};

/** A notification, limited to the details that the user shares. */
export function noticeWith(detail: Detail, notice: Notice): Notice {
  if (detail === 'full') return notice;
  const text = BRIEFLY[notice.occasion];
  return detail === 'title' ? { ...notice, text } : { ...notice, title: 'Hookline', text };
}

/** How an approval ended, limited to the details that the user shares: not who answered, nor the device. */
export function endWith(detail: Detail, approval: Approval): string {
  return detail === 'none' ? 'No longer pending.' : settlementText(approval);
}
