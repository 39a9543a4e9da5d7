import { approvalSubject, type ShownApproval } from '../approvals/approval.ts';
import type { Change } from '../model/changes.ts';
import { callSubject } from '../model/subject.ts';
import type { ToolCall } from '../model/tools.ts';

/** Cards that ask for the very same thing, so that one answer can serve them all. */
export interface CardGroup {
  readonly first: ShownApproval;
  readonly ids: readonly string[];
}

export function groupCards(pending: readonly ShownApproval[]): readonly CardGroup[] {
  const groups = new Map<string, ShownApproval[]>();
  for (const card of pending) {
    const key = JSON.stringify([card.kind, card.tool?.name, card.tool?.input, card.question, card.cwd]);
    const group = groups.get(key);
    if (group) group.push(card);
    else groups.set(key, [card]);
  }
  return [...groups.values()].flatMap((cards) =>
    cards[0] ? [{ first: cards[0], ids: cards.map(({ id }) => id) }] : [],
  );
}

/** What a card is about, line by line: the command, the change, the question. */
export function cardPreview(card: ShownApproval): readonly string[] {
  const { tool, question, changes } = card;
  if (card.questions.length > 0) {
    return card.questions.flatMap(({ text, options, multiple }) => [
      `${text}${multiple ? ' (several)' : ''}`,
      ...options.map(
        ({ label, description }, at) => `  ${at + 1} ${label}${description ? ` – ${description}` : ''}`,
      ),
    ]);
  }
  if (question !== null || tool === null) return approvalSubject(card).split('\n');
  return [...callLines(tool), ...changes.flatMap((change) => changeLines(change, changes.length > 1))];
}

function callLines(tool: ToolCall): readonly string[] {
  if (tool.command !== null)
    return tool.command.split('\n').map((line, at) => (at === 0 ? `$ ${line}` : `  ${line}`));
  if (tool.files.length > 0)
    return tool.files.map(({ op, path, to }) => `${op} ${path}${to ? ` → ${to}` : ''}`);
  return callSubject(tool).split('\n');
}

/** Of several files, each under its name. */
function changeLines({ path, lines }: Change, isNamed: boolean): readonly string[] {
  const texts = lines.map(({ mark, text }) => `${mark === '@' ? ' ' : mark} ${text}`);
  return isNamed && texts.length > 0 ? [path, ...texts] : texts;
}
