import { approvalSubject, type ShownApproval } from '../approvals/approval.ts';
import type { Change, ChangeLine } from '../model/changes.ts';
import { callSubject } from '../model/subject.ts';
import type { Question, ToolCall } from '../model/tools.ts';
import { between, broken, type Line, type Look, line, span, wrapped } from './line.ts';

/** Chosen answers, by question. */
export type Chosen = Readonly<Record<string, readonly string[]>>;

/** The command, change or question of an approval, line by line and never cut. */
export function subjectLines(approval: ShownApproval, width: number, chosen: Chosen = {}): readonly Line[] {
  const { tool, question, kind, changes } = approval;
  if (approval.questions.length > 0)
    return approval.questions.flatMap((one) => questionLines(one, width, chosen[one.id] ?? []));
  if (question !== null || tool === null || kind === 'plan')
    return textLines(approvalSubject(approval), width);
  const changed = changes.flatMap((change) => changeLines(change, headingOf(tool, change.path), width));
  if (tool.command !== null) {
    const options = approval.runsWith.flatMap((one) => broken(line(one, 'waiting', 'bold'), width, '  '));
    return [...commandLines(tool.command, approval.marks, width), ...options, ...changed];
  }
  // Names the files without a known change; a change contains its file name.
  const known = new Set(changes.map(({ path }) => path));
  const files = tool.files
    .filter(({ path, to }) => !known.has(path) || to !== undefined)
    .map(({ op, path, to }) => line(`${op} ${path}${to ? ` → ${to}` : ''}`));
  if (files.length + changed.length > 0)
    return [...files.flatMap((one) => broken(one, width, '  ')), ...changed];
  return textLines(callSubject(tool), width);
}

function textLines(text: string, width: number): readonly Line[] {
  return text.split('\n').flatMap((one) => broken(line(one), width, '  '));
}

/** The command; the words that its rules matched are marked. */
function commandLines(command: string, marks: ShownApproval['marks'], width: number): readonly Line[] {
  let start = 0;
  return command.split('\n').flatMap((text, at) => {
    const from = start;
    start += text.length + 1;
    const own = marks.map(([a, b]) => [a - from, b - from] as const);
    return broken([span(at === 0 ? '$ ' : '  '), ...markedSpans(text, own)], width, '  ');
  });
}

function markedSpans(text: string, marks: readonly (readonly [number, number])[]): Line {
  const spans = [];
  let done = 0;
  for (const [start, end] of marks) {
    const from = Math.max(done, start);
    const until = Math.min(text.length, end);
    if (until <= from) continue;
    spans.push(span(text.slice(done, from)), span(text.slice(from, until), 'waiting', 'met', 'bold'));
    done = until;
  }
  return [...spans, span(text.slice(done))];
}

const CHANGE_LOOKS: Readonly<Record<ChangeLine['mark'], readonly Look[]>> = {
  '-': ['denied'],
  '+': ['allowed'],
  ' ': [],
  '@': ['quiet'],
};

/** The file name; with its operation if the file is created or deleted. */
function headingOf({ files }: ToolCall, path: string): string {
  const op = files.find((one) => one.path === path)?.op;
  return op === 'create' || op === 'delete' ? `${op} ${path}` : path;
}

function changeLines({ lines }: Change, heading: string, width: number): readonly Line[] {
  const count = (mark: string) => lines.filter((one) => one.mark === mark).length;
  const counts = (['+', '-'] as const)
    .filter((mark) => count(mark) > 0)
    .map((mark) => `${mark}${count(mark)}`);
  return [
    between([span(heading, 'bold')], [span(` ${counts.join(' ')}`, 'quiet')], width),
    ...lines.flatMap(({ mark, text }) =>
      broken(line(`${mark === '@' ? ' ' : mark} ${text}`, ...CHANGE_LOOKS[mark]), width, '  '),
    ),
  ];
}

function questionLines(
  { text, options, multiple }: Question,
  width: number,
  chosen: readonly string[],
): readonly Line[] {
  const labels = options.map(({ label }) => label);
  const own = chosen.find((one) => !labels.includes(one));
  const option = (label: string, number: number, more: string, isChosen: boolean) => {
    const looks: Look[] = isChosen ? ['allowed', 'bold'] : [];
    const mark = isChosen ? '✓' : ' ';
    return broken([span(`${mark} ${number} ${label}`, ...looks), span(more, 'quiet')], width, '    ');
  };
  return [
    ...wrapped(`${text}${multiple ? ' (several)' : ''}`, width, 'bold'),
    ...options.flatMap(({ label, description }, at) =>
      option(label, at + 1, description ? `  ${description}` : '', chosen.includes(label)),
    ),
    ...option(own ?? 'Your own words', options.length + 1, '', own !== undefined),
  ];
}
