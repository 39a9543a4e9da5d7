import { type Approval, approvalSubject, type ShownApproval } from '../../src/approvals/approval.ts';
import { oneLine } from '../../src/model/text.ts';
import { counted } from './format.ts';

/** Approvals of identical calls, which one answer decides. */
export interface Request {
  readonly key: string;
  readonly first: ShownApproval;
  readonly all: readonly ShownApproval[];
  readonly expiresAt: number;
}

/** Soonest to expire first. */
export function requestsOf(pending: readonly ShownApproval[]): readonly Request[] {
  const groups = new Map<string, ShownApproval[]>();
  for (const approval of pending) {
    const group = groups.get(approval.group);
    if (group) group.push(approval);
    else groups.set(approval.group, [approval]);
  }
  return [...groups]
    .flatMap(([key, all]) => {
      const sorted = [...all].sort((a, b) => a.expiresAt - b.expiresAt);
      const [first] = sorted;
      return first ? [{ key, first, all: sorted, expiresAt: first.expiresAt }] : [];
    })
    .sort((a, b) => a.expiresAt - b.expiresAt || a.first.createdAt - b.first.createdAt);
}

/** What the agent wants, in a few words; `code` is shown as code. */
export interface Want {
  readonly verb: string;
  readonly code: string;
}

const LONGEST = 80;

export function wantOf(approval: ShownApproval): Want {
  const { kind, tool, question, questions, changes } = approval;
  if (kind === 'question') return { verb: `Question: ${questions[0]?.text ?? question ?? ''}`, code: '' };
  if (kind === 'plan') return { verb: `Plan: ${counted(planSteps(approval).length, 'step')}`, code: '' };
  if (kind === 'elicitation') return { verb: `Question: ${question ?? ''}`, code: '' };
  if (!tool) return { verb: 'Asks for permission', code: '' };
  if (tool.command !== null) return { verb: 'Run', code: oneLine(tool.command, LONGEST) };
  const paths = [...new Set(tool.files.filter(({ op }) => op !== 'read').map(({ path }) => path))];
  const [path = '', ...others] = paths.length > 0 ? paths : changes.map((change) => change.path);
  if (path !== '' && tool.files.every(({ op }) => op === 'delete'))
    return { verb: 'Delete', code: shortPath(path) };
  if (others.length > 0) return editOf([path, ...others]);
  if (path !== '') return { verb: tool.name, code: shortPath(path) };
  return { verb: `Use ${tool.name}`, code: oneLine(approvalSubject(approval), LONGEST) };
}

/** The heading of a card: `Codex wants to run a command`. */
export function headingOf(approval: ShownApproval, label: string, times: number): string {
  const { kind, tool, questions, question } = approval;
  if (times > 1) return `The same ${tool?.command ? 'command' : 'call'}, ${times} times`;
  if (kind === 'question')
    return questions.length === 1 ? (questions[0]?.text ?? '') : `${label} has ${questions.length} questions`;
  if (kind === 'plan') return `${label} wants approval for a plan`;
  if (kind === 'elicitation') return question ?? `${label} asks for an MCP server`;
  if (tool?.command) return `${label} wants to run a command`;
  const files = new Set(tool?.files.filter(({ op }) => op !== 'read').map(({ path }) => path));
  if (files.size > 1) return `${label} wants to edit ${counted(files.size, 'file')}`;
  return `${label} wants to use ${tool?.name ?? 'a tool'}`;
}

/** The state of a session with pending approvals: `Waiting to run npm install`. */
export function waitingWords(approvals: readonly ShownApproval[]): string {
  const [first, ...others] = approvals;
  if (!first) return '';
  const { verb, code } = wantOf(first);
  const words =
    first.kind === 'question' || first.kind === 'elicitation'
      ? 'Waiting for an answer'
      : first.kind === 'plan'
        ? 'Waiting for plan approval'
        : `Waiting to ${verb.charAt(0).toLowerCase()}${verb.slice(1)} ${code}`.trimEnd();
  return others.length > 0 ? `${words}, and ${others.length} more` : words;
}

const STEP = /^\s*(?:\d+[.)]|[-*])\s+(.+)$/;

/** The steps of a plan that is a list. */
function planSteps(approval: Approval): readonly string[] {
  const lines = approvalSubject(approval).split('\n');
  return lines.flatMap((line) => STEP.exec(line)?.[1] ?? []);
}

function shortPath(path: string): string {
  return path.split('/').filter(Boolean).slice(-3).join('/');
}

function editOf(paths: readonly string[]): Want {
  const folder = folderOf(paths);
  const files = `Edit ${counted(paths.length, 'file')}`;
  return folder === '' ? { verb: files, code: '' } : { verb: `${files} in`, code: folder };
}

/** The deepest directory that contains all of them; empty without one. */
function folderOf(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  let depth = first.length;
  for (const other of others)
    while (depth > 0 && first.slice(0, depth).join('/') !== other.slice(0, depth).join('/')) depth -= 1;
  return first.slice(0, depth).slice(-2).join('/');
}
