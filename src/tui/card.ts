import { grantPreview, type ShownApproval } from '../approvals/approval.ts';
import { oneLine } from '../model/text.ts';
import { cutMiddle } from '../terminal/cells.ts';
import { type Chosen, subjectLines } from './card-lines.ts';
import { placeOf, type RequestGroup } from './groups.ts';
import { badgeOf, labelOf, timeLeft, wantWords } from './labels.ts';
import { between, EMPTY, fitted, type Line, line, span, widthOf, wrapped } from './line.ts';

interface CardOptions {
  readonly width: number;
  /** Rows that there are for all of it. */
  readonly height: number;
  readonly chosen: Chosen;
  readonly now: number;
  /** Keys answer: the card has been on the screen long enough to be seen. */
  readonly isArmed: boolean;
}

/** The open request: who, where and why, its subject with all the room that is left, and the answers. */
export function cardLines(group: RequestGroup, options: CardOptions): readonly Line[] {
  const { width, height } = options;
  const inner = width - 2;
  const roomy = height >= 14;
  const head = [titleLine(group, inner), ...sourceLines(group, inner, roomy ? 3 : 1)];
  const subject = subjectLines(group.first, inner, options.chosen);
  const spare = height - head.length - subject.length - 1;
  // The subject comes first; where that has all it needs, so has the reason.
  const why = whyLines(group.first, inner, Math.max(roomy ? 4 : 2, spare));
  const room = Math.max(1, height - head.length - why.length - 1);
  const shown = subject.length <= room ? subject : subject.slice(0, Math.max(1, room - 1));
  const hidden = subject.length - shown.length;
  const more = hidden > 0 ? [line(`  ${hidden} more lines, Space shows all`, 'quiet')] : [];
  return [...head, ...shown, ...more, ...why, answersLine(group, options)].map((one) =>
    fitted([span(' '), ...one], width),
  );
}

/** All of it, to be scrolled, with what there is to know about ids and grants. */
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
    line('Ids', 'bold'),
    ...all.map(({ id, sessionId, cwd }) => line(`${id}  session ${sessionId}  ${cwd ?? ''}`, 'quiet')),
    line('Arguments', 'bold'),
    ...JSON.stringify(first.tool?.input ?? {}, null, 2)
      .split('\n')
      .map((one) => line(one)),
  ];
  return lines.map((one) => [span(' '), ...one]);
}

function titleLine({ first, all }: RequestGroup, width: number): Line {
  const who = all.length === 1 ? labelOf(first.source) : `${all.length} requests`;
  const wants = wantWords(first, all.length > 1);
  const title: Line = [span(who, 'bold'), span(` ${wants}`)];
  if (all.length > 1) return fitted(title, width);
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

/** What the user asked for; of several requests, where each of them comes from. */
function sourceLines({ first, all }: RequestGroup, width: number, most: number): readonly Line[] {
  if (all.length > 1) {
    const places = all.map((one) => {
      const { repo, branch } = placeOf(one);
      return `${badgeOf(one.source)} ${[repo, branch].filter(Boolean).join(' ')}`;
    });
    return labelled('From', [...new Set(places)].join(', '), width, Math.max(3, most));
  }
  return first.asked === null ? [] : labelled('You asked', first.asked.prompt, width, most);
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

/** Why somebody has to look, with the rules that say so at the end. */
function whyLines({ reason, rules, kind }: ShownApproval, width: number, most: number): readonly Line[] {
  // A question or a plan says itself what it is for.
  if (reason === null && kind !== 'permission') return [];
  const text = reason ?? 'The agent itself asks for permission.';
  const names = oneLine(rules.join(', '), Math.floor(width / 3));
  const lines = labelled('! Why', text, width, most);
  const end = lines.at(-1);
  if (names === '' || !end) return lines;
  const right = [span(`  ${names}`, 'quiet')];
  if (widthOf(end) + widthOf(right) <= width) return [...lines.slice(0, -1), between(end, right, width)];
  return lines.length < most
    ? [...lines, between(EMPTY, right, width)]
    : [...lines.slice(0, -1), between(end, right, width)];
}

/** The keys that answer. In brackets once they do: nothing is answered that was not seen. */
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
      ['d', 'Do not answer'],
    ];
  if (first.kind === 'plan')
    return [
      ['a', 'Go ahead'],
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
