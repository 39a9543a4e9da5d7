import { type Stdin, UNKNOWN } from '../analysis.ts';
import { literal } from '../call.ts';
import { posixPath } from '../places/windows-paths.ts';
import type { Reentry } from '../reentry.ts';
import { scanWords } from '../scan-words.ts';
import type { Walk } from '../walk.ts';
import { type PowerShellCommand, powerShellCommands } from './command-words.ts';
import { Evaluation } from './evaluate.ts';

const VERBS =
  'Add|Clear|Compress|Copy|Disable|Enable|Expand|Export|Format|Get|Import|Install|Invoke|Mount|Move|New|Out|Push|Read|' +
  'Register|Remove|Rename|Reset|Restart|Resume|Select|Send|Set|Start|Stop|Suspend|Test|Uninstall|Unregister|Update|' +
  'Wait|Where|Write';
const COMMANDLET = new RegExp(`(?:^|[;|({&]\\s*)(?:${VERBS})-[A-Z][A-Za-z]+\\b`);
/** Lowercase only for names that no program of another system has. */
const NOUNS =
  'item|itemproperty|content|childitem|process|service|computer|webrequest|restmethod|expression|command|location|object|' +
  'executionpolicy|scheduledtask|localuser|volume|disk';
const LOWER = new RegExp(`(?:^|[;|({&]\\s*)(?:${VERBS})-(?:${NOUNS})\\b`, 'i');
const SYNTAX = /^\s*\$[A-Za-z_][\w:]*\s*=\s*(?:\(|\[|Get-|New-|@[({]|['"])|\$env:\w+|\[[A-Z][\w.]+\]::\w+/;

/** True for a cmdlet name: `Get-Item`. */
export function isCommandlet(name: string): boolean {
  return COMMANDLET.test(name) || LOWER.test(name);
}

/** Recognizes PowerShell by Verb-Noun commands, static calls and assignments, none of which a POSIX shell has. */
export function looksLikePowerShell(command: string): boolean {
  if (!command.includes('-') && !command.includes('$')) return false;
  const named = COMMANDLET.test(command) || LOWER.test(command);
  return (named && !/^\s*(?:if|for|while)\b.*\bthen\b/s.test(command)) || SYNTAX.test(command);
}

/**
 * Effects of a PowerShell text. Coverage is at best partial, so no permission covers it. A text that can't be parsed,
 * or uses something unknown, is not understood.
 */
export function powerShell(walk: Walk, reentry: Reentry, command: string): void {
  if (new Evaluation(walk, reentry).text(command)) {
    walk.lost('powershell: read in part');
    return;
  }
  const commands = powerShellCommands(command);
  if (commands === null) scanWords(walk, reentry, command);
  for (const one of commands ?? []) guess(walk, reentry, one);
}

/** One command of a text that could not be read as a whole. */
function guess(walk: Walk, reentry: Reentry, { words, piped }: PowerShellCommand): void {
  const [first = '', ...rest] = words;
  if (first.startsWith('$') || first.startsWith('[')) return;
  const called = /^[&.]$/.test(first) ? rest : words;
  reentry.argv(
    walk,
    called.map((word) => literal(word.startsWith('-') ? word : posixPath(word))),
    piped ? { guessed: true, stdin: PIPED } : { guessed: true },
  );
}

const PIPED: Stdin = { from: 'pipe', text: null, template: UNKNOWN, sources: [] };
