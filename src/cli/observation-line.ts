import type { Observation } from '../history/observation.ts';
import type { StoredObservation } from '../history/stored-observation.ts';
import { clockTime, oneLine } from '../model/text.ts';
import { terminalLine } from '../terminal/visible.ts';
import { paint } from './paint.ts';

/** One observation on one line: what happened, to what, and how it went. */
export function observationLine({ observation, timestamp, agentId }: StoredObservation): string {
  const time = clockTime(timestamp);
  const indent = agentId === null ? '' : '  ';
  return terminalLine(`${paint.dim(time)} ${indent}${observation.kind.padEnd(12)} ${describe(observation)}`);
}

function describe(o: Observation): string {
  switch (o.kind) {
    case 'intent':
      return paint.bold(flat(o.prompt.text));
    case 'file':
      return `${outcome(o.outcome)}${o.op} ${o.path}${o.to === null ? '' : ` → ${o.to}`}${lines(o)}`;
    case 'command':
      return `${outcome(o.outcome)}${o.purpose === 'other' ? '' : `[${o.purpose}] `}${flat(o.command.text)}${code(o)}`;
    case 'search':
      return `${o.tool} ${flat(o.pattern)}${o.scope ? ` in ${o.scope}` : ''}${o.results === null ? '' : `: ${o.results} found`}`;
    case 'web':
      return `${o.tool} ${flat(o.target)}`;
    case 'mcp':
      return `${outcome(o.outcome)}${o.server} ${o.tool} ${flat(o.input.text)}`;
    case 'tool':
      return `${outcome(o.outcome)}${o.tool} ${flat(o.input.text)}`;
    case 'session':
      return paint.dim(`${o.boundary} (${o.trigger})`);
    case 'message':
      return paint.dim(flat(o.message.text));
    case 'turn_end':
      return o.message === null ? paint.dim('–') : flat(o.message.text);
    case 'error':
      return paint.red(`${o.where}: ${flat(o.message)}`);
    case 'subagent':
      return `${o.boundary} ${o.type} ${paint.dim(o.id ?? '')}`;
    case 'task':
      return `${o.change} ${o.subject || (o.id ?? '')} (${o.status})`;
    case 'plan':
      return flat(o.plan.text);
    case 'question':
      return `${flat(o.question)}${o.answer === null ? '' : ` → ${flat(o.answer)}`}`;
    case 'compaction':
      return `${o.phase} (${o.trigger})`;
    case 'notification':
      return `${o.topic}: ${o.title === null ? '' : `${paint.bold(flat(o.title))} `}${flat(o.message)}`;
    case 'teammate':
      return `${o.name} ${o.change}${o.team === null ? '' : paint.dim(` (${o.team})`)}`;
    case 'permission':
      return `${o.decision === 'deny' || o.decision === 'denied' ? paint.red(o.decision) : paint.yellow(o.decision)} ${o.tool} ${flat(o.subject)}${o.by.length > 0 ? paint.dim(` (${o.by.join(', ')})`) : ''}`;
    case 'interrupt':
      return paint.yellow(o.reason ?? 'interrupted');
  }
}

function outcome(how: string): string {
  if (how === 'failed') return paint.red('✗ ');
  return how === 'ok' ? paint.green('✓ ') : paint.dim('? ');
}

function code({ exitCode }: { readonly exitCode: number | null }): string {
  return exitCode === null || exitCode === 0 ? '' : paint.red(` → ${exitCode}`);
}

function lines({ before, after }: Extract<Observation, { kind: 'file' }>): string {
  if (after === null) return '';
  const count = (text: string) => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);
  return paint.dim(` +${count(after.text)} -${before === null ? '?' : count(before.text)}`);
}

function flat(text: string): string {
  return oneLine(text, 100);
}
