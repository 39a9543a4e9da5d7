import { reachesMany } from '../../doors/messages.ts';
import { movesMoney } from '../../doors/money.ts';
import type { How, Phrase } from '../../doors/phrase.ts';
import { wordsOf } from '../../doors/text-words.ts';
import { countsAs, entryFor } from '../../knowledge/load.ts';
import type { SimpleCommand } from '../analysis.ts';

const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|php|exs?|go|sh|bash)$/;
const LONGEST_NAME = 80;

/** The names of what a project has written for itself and a command starts: a script, a goal, a task. */
export function tasksOf(command: SimpleCommand): readonly string[] {
  const { tool, name, sub, argv } = command;
  const [first] = argv;
  const words = [...sub, ...command.operands.map(({ template }) => template)];
  const entry = tool === null ? undefined : entryFor(tool);
  if (tool === null || entry === undefined)
    return first?.template.includes('/') && name !== null ? [name] : [];
  switch (entry.data?.given) {
    case 'task':
      return words.filter((word) => word !== 'run' && word !== 'run-script').slice(0, 1);
    case 'rake':
      return words.slice(0, 2);
    case 'script':
      return words.slice(0, 2).filter((word, at) => SCRIPT.test(word) || (at > 0 && !word.includes('/')));
    default:
      return GOALS.has(tool) ? words.filter((word) => !word.includes('=')) : [];
  }
}

const GOALS = new Set(['make', 'just', 'task', 'mage', 'invoke', 'fab', 'cap', 'mina']);

const TRIES = /^(?:--(?:dry-?run|help|version|preview)|-[nh])$/;

/** What a task does that customers notice, by the words of its name: `send-newsletter`, `charge_customers.py`. */
export function taskDeed(command: SimpleCommand, tasks: readonly string[]): How | null {
  if (command.argv.some(({ template }) => TRIES.test(template.replace(/=.*$/, '')))) return null;
  for (const task of tasks) {
    const words = nameWords(task);
    const phrase: Phrase = { place: '', readings: [words], verbs: [words], input: {}, texts: [] };
    if (movesMoney(phrase, words)) return 'money';
    if (reachesMany(phrase, words)) return 'message';
  }
  return null;
}

/** Whether others get what was made here, or something else of it, when the task has run. */
export function goesLive(tasks: readonly string[]): boolean {
  return tasks.some((task) => nameWords(task).some((word) => countsAs('goes-live', word)));
}

function nameWords(task: string): readonly string[] {
  const own = task.slice(task.lastIndexOf('/') + 1).replace(SCRIPT, '');
  return own.length > LONGEST_NAME ? [] : wordsOf(own.replace(/:/g, '-'));
}
