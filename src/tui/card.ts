import { grantPreview, type ShownApproval } from '../approvals/approval.ts';
import { oneLine } from '../model/text.ts';
import { cutMiddle } from '../terminal/cells.ts';
import { type Chosen, subjectLines } from './card-lines.ts';
import { placeOf, type RequestGroup } from './groups.ts';
import { badgeOf, labelOf, timeLeft, wantWords } from './labels.ts';
import { between, EMPTY, fitted, type Line, line, span, widthOf, wrapped } from './line.ts';

interface CardOptions {
  readonly width: number;
  /** Rows available for the card. */
  readonly height: number;
  readonly chosen: Chosen;
  readonly now: number;
  /** True once keys answer the card: it has been on the screen long enough to be seen. */
  readonly isArmed: boolean;
}

/** The open approval: agent, place, reason, its subject in the remaining room, and the answers. */
export function cardLines(group: RequestGroup, options: CardOptions): readonly Line[] {
  const { width, height } = options;
  const inner = width - 2;
  const roomy = height >= 14;
  const head = [titleLine(group, inner), ...sourceLines(group, inner, roomy ? 3 : 1)];
  const subject = subjectLines(group.first, inner, options.chosen);
  const spare = height - head.length - subject.length - 1;
  // The subject gets room first; the reason gets what is left.
  const why = whyLines(group.first, inner, Math.max(roomy ? 4 : 2, spare));
  const room = Math.max(1, height - head.length - why.length - 1);
  const shown = subject.length <= room ? subject : subject.slice(0, Math.max(1, room - 1));
  const hidden = subject.length - shown.length;
  const more = hidden > 0 ? [line(`  ${hidden} more lines, Space shows all`, 'quiet')] : [];
  return [...head, ...shown, ...more, ...why, answersLine(group, options)].map((one) =>
    fitted([span(' '), ...one], width),
  );
}

/** The whole approval for scrolling, with IDs and what a grant would cover. */
export function fullCard(group: RequestGroup, width: number, chosen: Chosen): readonly Line[] {
  const { first, all } = group;
  const inner = width - 2;
  const lines = [
    titleLine(group, inner),
    ...sourceLines(group, inner, 40),
    EMPTY,
    ...subjectLines(first, inner, chosen),
    EMPTY,
    ...whyLines(first, inner, 40),
    ...(first.tool === null ? [] : wrapped(grantPreview(first), inner)),
    EMPTY,
    line('IDs', 'bold'),
    ...all.map(({ id, sessionId, cwd }) => line(`${id}  session ${sessionId}  ${cwd ?? ''}`, 'quiet')),
    line('Arguments', 'bold'),
    ...JSON.stringify(first.tool?.input ?? {}, null, 2)
      .split('\n')
      .map((one) => line(one)),
  ];
  return lines.map((one) => [span(' '), ...one]);
}

function titleLine({ first, all }: RequestGroup, width: number): Line {
  if (all.length > 1)
    return fitted(
      [span(`The same ${first.tool?.command ? 'command' : 'call'}, ${all.length} times`, 'bold')],
      width,
    );
  const title: Line = [span(labelOf(first.source), 'bold'), span(` ${wantWords(first)}`)];
  const { repo, branch } = placeOf(first);
  const turn = width >= 100 && first.asked ? `  turn ${first.asked.turn}` : '';
  const room = width - widthOf(title) - repo.length - turn.length - 3;
  const place = [
    span(`  ${repo}`, 'bold'),
    span(` ${cutMiddle(branch, Math.max(8, room))}`),
    span(turn, 'quiet'),
  ];
  return between(title, place, width);
}

/** The prompt behind the call; for several calls, where they come from. */
function sourceLines({ first, all }: RequestGroup, width: number, most: number): readonly Line[] {
  if (all.length > 1) {
    const places = all.map((one) => {
      const { repo, branch } = placeOf(one);
      return `${badgeOf(one.source)} ${[repo, branch].filter(Boolean).join(' ')}`;
    });
    return labelled('From', [...new Set(places)].join(', '), width, Math.max(3, most));
  }
  return first.asked === null ? [] : labelled('Your prompt', first.asked.prompt, width, most);
}

function labelled(label: string, text: string, width: number, most: number): readonly Line[] {
  const indent = label.length + 2;
  const lines = wrapped(text, width - indent);
  const kept = lines.slice(0, most);
  const last = kept.at(-1);
  const cut =
    lines.length > most && last
      ? [...kept.slice(0, -1), fitted([...last, span(' …')], width - indent)]
      : kept;
  return cut.map((one, at) => [span(at === 0 ? `${label}  ` : ' '.repeat(indent), 'quiet'), ...one]);
}

/** The reason for the approval, with its rules at the end. */
function whyLines({ reason, rules, kind }: ShownApproval, width: number, most: number): readonly Line[] {
  // A question or a plan needs no reason.
  if (reason === null && kind !== 'permission') return [];
  const text = reason ?? 'The agent asks for permission.';
  const names = oneLine(rules.join(', '), Math.floor(width / 3));
  const lines = labelled('! Reason', text, width, most);
  const end = lines.at(-1);
  if (names === '' || !end) return lines;
  const right = [span(`  ${names}`, 'quiet')];
  if (widthOf(end) + widthOf(right) <= width) return [...lines.slice(0, -1), between(end, right, width)];
  return lines.length < most
    ? [...lines, between(EMPTY, right, width)]
    : [...lines.slice(0, -1), between(end, right, width)];
}

/** The keys that answer. In brackets once they work: an approval must be seen before it is answered. */
function answersLine(group: RequestGroup, { width, now, isArmed }: CardOptions): Line {
  const keys = answerKeys(group).flatMap(([key, meaning]) => [
    span(isArmed ? `[${key}]` : ` ${key} `, ...(isArmed ? (['bold'] as const) : (['quiet'] as const))),
    span(` ${meaning}   `, ...(isArmed ? [] : (['quiet'] as const))),
  ]);
  const left = group.first.expiresAt - now;
  const looks = left < 60_000 ? (['waiting', 'bold'] as const) : (['quiet'] as const);
  return between(keys, [span(`${timeLeft(left)} left`, ...looks)], width - 2);
}

function answerKeys({ first, all }: RequestGroup): readonly (readonly [key: string, meaning: string])[] {
  const every = all.length > 1 ? ` all ${all.length}` : '';
  if (first.kind === 'question' && first.questions.length > 0)
    return [
      ['1…9', 'choose'],
      ['Enter', 'Send answer'],
      ['d', 'Skip'],
    ];
  if (first.kind === 'plan')
    return [
      ['a', 'Approve plan'],
      ['d', 'Keep planning'],
    ];
  if (first.kind === 'elicitation')
    return [
      ['a', 'Accept'],
      ['d', 'Decline'],
    ];
  return [
    ['a', every === '' ? 'Allow once' : `Allow${every}`],
    ['d', `Deny${every}`],
    ['m', 'More'],
  ];
}
