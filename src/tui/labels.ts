import { posix } from 'node:path';
import { AGENTS } from '../agents/_registry.ts';
import { approvalSubject, type ShownApproval } from '../approvals/approval.ts';
import { counted, initials, oneLine } from '../model/text.ts';
import type { FileOperation } from '../model/tools.ts';

export function labelOf(source: string): string {
  return AGENTS.get(source)?.label ?? source;
}

export function badgeOf(source: string): string {
  return initials(labelOf(source));
}

/** `0:48`, `12:05`. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** An approval in a few words: `Edit 2 files in src/charge`. */
export function requestTitle(approval: ShownApproval): string {
  const { kind, tool, questions } = approval;
  const [question] = questions;
  if (question) return oneLine(question.text);
  const text = approvalSubject(approval);
  if (kind === 'plan') return planTitle(text);
  const subject = oneLine(text);
  if (tool === null) return subject || kind;
  if (tool.command !== null) return `Run ${oneLine(tool.command)}`;
  return filesTitle(tool.files) ?? [tool.name, subject].filter(Boolean).join(' ');
}

/** The heading of a plan and the number of its steps. */
function planTitle(text: string): string {
  const lines = text.split('\n').map((one) => one.trim());
  const steps = lines.filter((one) => /^(?:\d+[.)]|[-*]) /.test(one)).length;
  const heading = (lines.find(Boolean) ?? '').replace(/^#+\s*/, '');
  return `Plan: ${oneLine(heading)}${steps > 1 ? `, ${steps} steps` : ''}`;
}

/** The request of an agent as the end of a sentence: `wants to edit 2 files`. */
export function wantWords({ kind, tool, questions }: ShownApproval): string {
  if (kind === 'question')
    return questions.length > 1 ? `has ${questions.length} questions` : 'has a question';
  if (kind === 'plan') return 'wants approval for a plan';
  if (kind === 'elicitation') return 'asks for an MCP server';
  if (tool === null) return 'wants permission';
  if (tool.command !== null) return 'wants to run a command';
  const files = filesVerb(tool.files);
  return files === null
    ? `wants to use ${tool.name}`
    : `wants to ${files} ${counted(new Set(tool.files.map(({ path }) => path)).size, 'file')}`;
}

const VERBS: Readonly<Record<FileOperation['op'], string>> = {
  read: 'read',
  create: 'create',
  write: 'write',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
};

/** One verb for all files; mixed changes are an edit, unless something is deleted. */
function filesVerb(files: readonly FileOperation[]): string | null {
  const [first, ...others] = files;
  if (!first) return null;
  if (others.every(({ op }) => op === first.op)) return VERBS[first.op];
  return files.some(({ op }) => op === 'delete') ? 'change and delete' : 'edit';
}

function filesTitle(files: readonly FileOperation[]): string | null {
  const verb = filesVerb(files);
  const paths = [...new Set(files.map(({ path }) => path))];
  const [first = ''] = paths;
  if (verb === null) return null;
  const start = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  if (paths.length === 1) return `${start} ${first}`;
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  const [folder] = folders;
  const place = folders.size === 1 && folder !== '.' ? ` in ${folder}` : '';
  return `${start} ${paths.length} files${place}`;
}
