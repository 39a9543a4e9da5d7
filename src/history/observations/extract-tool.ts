import { type AgentHistory, NO_SEARCH } from '../../agents/kit/history.ts';
import type { EventOf } from '../../model/events.ts';
import { callSubject } from '../../model/subject.ts';
import { endingOf, oneLine } from '../../model/text.ts';
import type { FileOperation, ToolOutcome, ToolResult } from '../../model/tools.ts';
import { exitCodeTellsTests } from '../../shell/traits/purpose.ts';
import { changesOf } from '../calls/event-detail.ts';
import { exitCodeIn, failingTests, purposeOf, saysTestsFailed } from './commands.ts';
import { excerpt, KEPT } from './excerpt.ts';
import type { Observation, ObservationOf } from './observation.ts';

/** Observations from a completed call. */
export function fromToolResult(
  event: EventOf<'after_tool'>,
  history: AgentHistory | undefined,
): Observation[] {
  const { tool } = event;
  const observations: Observation[] = [...byKind(tool, event.cwd, history)];
  if (tool.outcome === 'failed') {
    const said = tool.error ?? history?.output(tool) ?? 'failed';
    observations.push({ kind: 'error', where: tool.name, message: oneLine(said, 500) });
  }
  if (tool.outcome === 'interrupted') observations.push({ kind: 'interrupt', reason: tool.error });
  return observations;
}

function byKind(tool: ToolResult, cwd: string | null, history: AgentHistory | undefined): Observation[] {
  const { input, outcome } = tool;
  const files = fileObservations(tool, cwd, history);
  switch (tool.kind) {
    case 'shell':
      return [command(tool, history), ...files];
    case 'search':
      return [
        {
          kind: 'search',
          tool: tool.name,
          pattern: textIn(input, 'pattern') ?? textIn(input, 'query') ?? '',
          ...(history?.search(tool) ?? NO_SEARCH),
          outcome,
        },
      ];
    case 'network':
      return [{ kind: 'web', tool: tool.name, target: oneLine(callSubject(tool), 500), outcome }];
    case 'mcp': {
      const { server, tool: name } = tool.mcp ?? { server: '', tool: tool.name };
      return [
        { kind: 'mcp', server, tool: name, input: excerpt(JSON.stringify(input), KEPT.input), outcome },
      ];
    }
    case 'plan':
      return plan(tool);
    case 'question':
      return questions(tool, history);
    case 'task':
      return tasks(tool);
    default:
      if (files.length > 0) return files;
      return [{ kind: 'tool', tool: tool.name, input: excerpt(JSON.stringify(input), KEPT.input), outcome }];
  }
}

function command(tool: ToolResult, history: AgentHistory | undefined): ObservationOf<'command'> {
  const line = tool.command ?? '';
  const purpose = purposeOf(line);
  const exitCodeHidden = purpose === 'test' && !exitCodeTellsTests(line);
  const wanted = tool.outcome === 'failed' || purpose === 'test';
  const output = wanted ? (history?.output(tool) ?? tool.error) : null;
  const outcome = exitCodeHidden ? outcomeOfHidden(tool.outcome, output) : tool.outcome;
  return {
    kind: 'command',
    command: excerpt(line, KEPT.command),
    description: textIn(tool.input, 'description'),
    purpose,
    exitCode: outcome === 'ok' ? 0 : tool.outcome === 'ok' ? null : exitCodeIn(tool.error ?? output ?? ''),
    outcome,
    exitCodeHidden,
    durationMs: tool.durationMs,
    output: output === null ? null : endingOf(output, 1000),
    failing: purpose === 'test' && output !== null && outcome !== 'ok' ? failingTests(output) : [],
  };
}

/** The exit code is that of another command, so only the output shows how the tests went. */
function outcomeOfHidden(outcome: ToolOutcome, output: string | null): ToolOutcome {
  if (outcome !== 'ok' && outcome !== 'unknown') return outcome;
  return output !== null && saysTestsFailed(output) ? 'failed' : 'unknown';
}

const CHANGES: Readonly<Record<FileOperation['op'], ObservationOf<'file'>['change']>> = {
  read: 'none',
  create: 'create',
  write: 'modify',
  edit: 'modify',
  delete: 'delete',
  move: 'move',
};

function fileObservations(tool: ToolResult, cwd: string | null, history: AgentHistory | undefined) {
  const changes = changesOf(history, tool, tool.response);
  return tool.files.map((file): ObservationOf<'file'> => {
    const change = changes.find(({ path }) => path === file.path);
    return {
      kind: 'file',
      op: file.op,
      change: CHANGES[file.op],
      path: within(file.path, cwd),
      to: file.to === undefined ? null : within(file.to, cwd),
      before: change?.before == null ? null : excerpt(change.before, KEPT.change),
      after: change?.after == null ? null : excerpt(change.after, KEPT.change),
      outcome: tool.outcome,
    };
  });
}

/** One name per file, because agents use both absolute and relative paths. */
function within(path: string, cwd: string | null): string {
  const plain = path.replace(/^\.\//, '');
  return cwd !== null && plain.startsWith(`${cwd}/`) ? plain.slice(cwd.length + 1) : plain;
}

function plan(tool: ToolResult): Observation[] {
  const text = textIn(tool.input, 'plan');
  return text === null ? [] : [{ kind: 'plan', plan: excerpt(text, KEPT.plan) }];
}

function questions(tool: ToolResult, history: AgentHistory | undefined): Observation[] {
  const asked = list(tool.input.questions).map((one) => textIn(one, 'question') ?? '');
  const answer = history?.output(tool) ?? null;
  return asked
    .filter((question) => question !== '')
    .map((question) => ({
      kind: 'question',
      question,
      answer: answer === null ? null : oneLine(answer, 500),
    }));
}

function tasks(tool: ToolResult): Observation[] {
  const { input } = tool;
  if (tool.name === 'TaskUpdate') {
    const status = textIn(input, 'status') ?? 'updated';
    const change = status === 'completed' ? 'completed' : 'updated';
    return [
      { kind: 'task', change, id: textIn(input, 'taskId'), subject: textIn(input, 'subject') ?? '', status },
    ];
  }
  // A created todo has an event of its own.
  return list(input.todos).map((todo) => {
    const status = textIn(todo, 'status') ?? 'pending';
    return {
      kind: 'task',
      change: status === 'completed' ? 'completed' : 'updated',
      id: null,
      subject: textIn(todo, 'content') ?? textIn(todo, 'description') ?? '',
      status,
    };
  });
}

function list(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

function textIn(input: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = input[key];
  return typeof value === 'string' ? value : null;
}
