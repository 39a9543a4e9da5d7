import { posix, win32 } from 'node:path';
import { shellWord } from '../../platform/shell-words.ts';
import { REFUSAL } from '../refusals.ts';

/** The command line that an agent's settings call for one event; good for `/bin/sh -c`. */
export function forwarderCommand(forwarder: string, agent: string, event: string): string {
  // Where there is no native forwarder for the platform, the JavaScript one has to be given to Node.
  const program = forwarder.endsWith('.js') ? `node ${shellWord(forwarder)}` : shellWord(forwarder);
  return `${program} ${agent} ${event}`;
}

// In single quotes for the user's own shell, which need not be a POSIX one. Some agents want a text with code 2.
const FAIL_CLOSED = `sh -c '"$0" "$@" || { [ $? -eq 2 ] || echo "${REFUSAL}" >&2; exit 2; }' `;

/**
 * The same for an agent that has no setting for it: whatever happens to the forwarder, also if it is gone, refuses.
 * Only for events that can be refused, and users who want to fail closed.
 */
export function failClosedCommand(forwarder: string, agent: string, event: string): string {
  const command = forwarderCommand(forwarder, agent, event);
  // Where agents run Node there is no `sh` either.
  return forwarder.endsWith('.js') ? command : `${FAIL_CLOSED}${command}`;
}

// The answer is a word of its own, so that the text before it is always the same.
const OR_ANSWER = `sh -c 'o=$("$@") && printf "%s\\n" "$o" || printf "%s\\n" "$0"' `;

/**
 * The same for an agent that takes every exit code but 0 for a refusal of its own: whatever happens to the forwarder,
 * also if it is gone, prints this answer instead and ends well.
 */
export function answeringCommand(forwarder: string, agent: string, event: string, answer: object): string {
  const command = forwarderCommand(forwarder, agent, event);
  return forwarder.endsWith('.js') ? command : `${OR_ANSWER}${shellWord(JSON.stringify(answer))} ${command}`;
}

/** The name of our plugin or extension, and of its folder. */
export const WRAPPER = 'hookline';

/** The program of a plugin or an extension, which looks for the forwarder. */
export const WRAPPER_SCRIPT = 'hookline-forward.sh';

/** The command line of a plugin or an extension; `root` is the variable that the client replaces by its folder. */
export function wrapperCommand(root: string, agent: string, event: string): string {
  return `sh "\${${root}}/${WRAPPER_SCRIPT}" ${agent} ${event}`;
}

const WRAPPER_COMMAND = /^sh "\$\{\w+\}\/hookline-forward\.sh" (\S+) (\S+)$/;

export interface ForwarderCall {
  /** The forwarder, as the command names it. */
  readonly forwarder: string;
  readonly event: string;
}

/**
 * Reads a command line as one that setup or a wrapper wrote, of this or an earlier version and wherever the forwarder was
 * then; null for others. The forwarder is known by its name, so entries survive a move of the installation.
 */
export function parseForwarderCommand(command: string, agent: string): ForwarderCall | null {
  const [, wrapped, called] = WRAPPER_COMMAND.exec(command) ?? [];
  if (called !== undefined) return wrapped === agent ? { forwarder: WRAPPER_SCRIPT, event: called } : null;
  const words = command.startsWith(OR_ANSWER)
    ? shellWords(command.slice(OR_ANSWER.length)).slice(1)
    : shellWords(command.startsWith(FAIL_CLOSED) ? command.slice(FAIL_CLOSED.length) : command);
  const [program = '', script = ''] = words;
  const viaNode = /^node(\.exe)?$/.test(baseName(program)) && baseName(script) === 'forward.js';
  const forwarder = viaNode ? script : program;
  const [name, event, ...more] = words.slice(viaNode ? 2 : 1);
  if (!viaNode && !baseName(forwarder).startsWith('hookline-forward')) return null;
  return name === agent && event !== undefined && more.length === 0 ? { forwarder, event } : null;
}

/** The words of a simple command; empty when it is more than that (pipes, variables, several commands). */
function shellWords(command: string): string[] {
  const words: string[] = [];
  const pattern = /\s*((?:[^\s'"\\$`;&|<>()*?#]|'[^']*'|"[^"$`\\]*"|\\.)+)(?=\s|$)/y;
  const text = command.trim();
  while (pattern.lastIndex < text.length) {
    const word = pattern.exec(text)?.[1];
    if (word === undefined) return [];
    words.push(word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, '$1$2$3'));
  }
  return words;
}

function baseName(path: string): string {
  return posix.basename(win32.basename(path));
}
