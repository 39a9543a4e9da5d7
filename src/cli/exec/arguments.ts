import type { Agent } from '../../agents/agent.ts';
import type { SetupContext } from '../../agents/setup/setup.ts';
import { HooklineError } from '../../model/errors.ts';
import { shellQuoted } from '../../platform/shell-words.ts';
import { commandMatches, parseCommandPattern } from '../../rules/match/command.ts';
import { analyse } from '../../shell/analyse.ts';
import { usage } from '../command.ts';
import { spanOf } from '../values.ts';

/** The prompt, in a form that agents accept. Throws USAGE. */
export function checkedPrompt(prompt: string): string {
  if (prompt.trim() === '') throw usage('exec', 'The prompt is empty.');
  // Agents would read it as an option, and some options turn hooks off.
  if (prompt.trimStart().startsWith('-'))
    throw usage('exec', 'The prompt starts with a dash, so the agent would read it as an option.');
  return prompt;
}

/** A timer with a longer delay fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The value of --timeout, in ms. Throws USAGE. */
export function timeoutOf(given: string): number {
  const ms = spanOf('exec', 'timeout', given, '90s, 10m or 2h');
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw usage('exec', `--timeout takes a time from 1s to 24d, not "${given}".`);
}

/**
 * Rejects options that would start the agent without its hooks, or with settings that may lack them. A user may do
 * that, but not with a command that promises rules. Throws USAGE.
 */
export function refuseEscapes(agent: Pick<Agent, 'id' | 'label' | 'escapes'>, args: readonly string[]): void {
  const { programs, unhooked, otherSettings } = agent.escapes;
  const line = [programs[0] ?? agent.id, ...args].map(shellQuoted).join(' ');
  const { commands } = analyse(line, {});
  for (const text of [...unhooked, ...otherSettings]) {
    const pattern = parseCommandPattern(text);
    if ('problem' in pattern || !commands.some((command) => commandMatches(pattern, command))) continue;
    throw new HooklineError('USAGE', `These arguments could bypass Hookline in ${agent.label}: ${text}`, {
      hint: `Remove them, or start ${agent.label} without Hookline.`,
    });
  }
}

/**
 * The same for the environment. A variable that setup follows leads to settings that are checked. With any other, the
 * agent might not call Hookline. Throws USAGE.
 */
export function refuseVariables(
  agent: Pick<Agent, 'label' | 'escapes' | 'setup'>,
  context: SetupContext,
): void {
  const filesWith = (env: SetupContext['env']) =>
    agent.setup
      .plan({ ...context, home: '/nowhere', env })
      .map(({ path }) => path)
      .join('\n');
  const isFollowed = (name: string) => filesWith({ [name]: '/nowhere/else' }) !== filesWith({});
  const found = agent.escapes.variables.find((name) => leadsAway(context.env[name]) && !isFollowed(name));
  if (found === undefined) return;
  throw new HooklineError('USAGE', `The variable ${found} could bypass Hookline in ${agent.label}.`, {
    hint: `Unset it, or start ${agent.label} without Hookline.`,
  });
}

/**
 * A switch that is on, or a path to other settings. Settings inside a variable are added to the user's, and a number of
 * milliseconds may be a longer timeout: their effect is checked after the run.
 */
function leadsAway(value = ''): boolean {
  return /^(?:1|true|yes|on)$/i.test(value) || /^[^{["]*[/\\]/.test(value);
}

/** Our options, without those that the user also gives: agents treat repeated options differently. */
export function withGiven(
  turn: readonly string[],
  prompt: string,
  given: readonly string[],
): readonly string[] {
  const names = new Set(given.filter(isOption).map(nameOf));
  const kept = turn.filter((word, at) => {
    if (word === prompt) return true;
    const before = turn[at - 1];
    const isValue = !isOption(word) && before !== undefined && before !== prompt && isOption(before);
    return !names.has(nameOf(isValue ? before : word));
  });
  return [...kept, ...given];
}

function isOption(word: string): boolean {
  return /^--?[a-z]/i.test(word);
}

function nameOf(word: string): string {
  return word.replace(/=.*/s, '');
}
