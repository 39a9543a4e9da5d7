import type { Approval } from '../approvals/approval.ts';

/** Cards that ask for the very same thing, so that one answer can serve them all. */
export interface CardGroup {
  readonly first: Approval;
  readonly ids: readonly string[];
}

export function groupCards(pending: readonly Approval[]): readonly CardGroup[] {
  const groups = new Map<string, Approval[]>();
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
export function cardPreview(card: Approval): readonly string[] {
  const { tool, question } = card;
  if (card.questions.length > 0) {
    return card.questions.flatMap(({ text, options, multiple }) => [
      `${text}${multiple ? ' (several)' : ''}`,
      ...options.map(
        ({ label, description }, at) => `  ${at + 1} ${label}${description ? ` – ${description}` : ''}`,
      ),
    ]);
  }
  if (question !== null) return question.split('\n');
  if (tool === null) return [];
  if (tool.command !== null)
    return tool.command.split('\n').map((line, at) => (at === 0 ? `$ ${line}` : `  ${line}`));
  return [
    ...tool.files.map(({ op, path, to }) => `${op} ${path}${to ? ` → ${to}` : ''}`),
    ...changeLines(tool.input),
  ];
}

/** A change of a file, as the tools of most agents name its parts. */
function changeLines(input: Readonly<Record<string, unknown>>): string[] {
  const { old_string: before, new_string: after, content, plan } = input;
  const marked = (text: unknown, mark: string) =>
    typeof text === 'string' ? text.split('\n').map((line) => `${mark} ${line}`) : [];
  return [...marked(before, '-'), ...marked(after ?? content, '+'), ...marked(plan, ' ')];
}
