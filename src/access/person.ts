import { basename } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { SCRIPT_RUNNERS, SHELLS } from '../model/shells.ts';
import type { ProcessInfo, ReadProcess } from './processes.ts';
import { logsPeopleIn, opensForPeople, sharedBy } from './terminals.ts';

/** What is known of a process that may or may not be a person's. */
type Judgement =
  | {
      readonly person: true;
      /** The program through which others of the user's can read this terminal and type there; null where none is. */
      readonly sharedBy: string | null;
    }
  | {
      readonly person: false;
      readonly why: string;
      readonly agent: string | null;
      /** The program that opened the terminal, where that is why: a user may know it as a terminal. */
      readonly opener: string | null;
    };

type Refusal = Judgement & { readonly person: false };

/** No chain of processes is longer on any machine that works. */
const MOST_ANCESTORS = 200;

/**
 * Is this a process that a person started by hand: in the foreground of a terminal, descended without a gap from
 * the terminal program that opened it, with no agent anywhere above it?
 * What the process says of itself is not asked.
 */
export async function judgeProcess(
  pid: number,
  agents: readonly Agent[],
  read: ReadProcess,
  { uid, terminals }: { readonly uid: number; readonly terminals: readonly string[] },
): Promise<Judgement> {
  const chain = await ancestry(pid, read);
  const [caller] = chain;
  if (!caller) return refused('The calling process has exited.');
  if (caller.uid !== uid) return refused('The calling process belongs to another user.');
  for (const one of chain) {
    const found = agentOf(one, agents);
    if (found) return refused(`${found.agent.label} started this command (${found.sign}).`, found.agent.id);
  }
  if (caller.terminal === null) return refused('This was not run in a terminal.');
  if (!caller.inForeground) return refused('It runs in the background of its terminal.');
  return judgeTerminal(chain, terminals) ?? { person: true, sharedBy: sharedBy(chain) };
}

/**
 * From the first of these up to the program that opened its terminal; null where that opens them for people. A terminal
 * inside another one proves as little as any: every process can open one, so only the outermost shows whether a person
 * uses it.
 */
function judgeTerminal(chain: readonly ProcessInfo[], terminals: readonly string[]): Refusal | null {
  const terminal = chain[0]?.terminal ?? null;
  const at = chain.findIndex((one) => one.leadsSession);
  const [leader, opener, above] = chain.slice(at);
  // Its parent has ended, so what started it is unknown.
  if (!leader || at === -1 || chain.slice(0, at + 1).some((one) => one.terminal !== terminal))
    return refused('The process that started this command has exited.');
  // On a console it is the system that logs users in; a container has its terminal from outside.
  if (logsPeopleIn(leader, opener) || leader.parent === 0) return null;
  if (!opener || opener.pid === 1) return refused('The process that opened this terminal has exited.');
  if (logsPeopleIn(opener, above)) return null;
  if (opener.terminal !== null) return judgeTerminal(chain.slice(at + 1), terminals);
  if (opensForPeople(opener, above, terminals)) return null;
  const { executable, path } = opener;
  return {
    ...refused(`${executable} (${path ?? "its file can't be read"}) opened this terminal.`),
    opener: path ?? executable,
  };
}

function refused(why: string, agent: string | null = null): Refusal {
  return { person: false, why, agent, opener: null };
}

/** The process and all above it. */
async function ancestry(pid: number, read: ReadProcess): Promise<readonly ProcessInfo[]> {
  const chain: ProcessInfo[] = [];
  for (let at = pid; at > 0 && chain.length < MOST_ANCESTORS; ) {
    const found = await read(at);
    if (!found) break;
    chain.push(found);
    at = found.parent;
  }
  return chain;
}

const INTERPRETERS: ReadonlySet<string> = new Set([...SCRIPT_RUNNERS, ...SHELLS]);

/** Which agent a process is, and how that shows. */
function agentOf(
  { executable, args, variables }: ProcessInfo,
  agents: readonly Agent[],
): { readonly agent: Agent; readonly sign: string } | null {
  const [first = '', ...rest] = args;
  const names = [executable, basename(first)];
  // Not every argument: an editor may be given a file that is called like an agent.
  const script = names.some((name) => INTERPRETERS.has(name.toLowerCase()))
    ? rest.find((one) => !one.startsWith('-'))
    : '';
  for (const agent of agents) {
    const { programs, packages, variables: marks } = agent.processes;
    const program = [...names, basename(script ?? '')].find((name) => programs.includes(name));
    if (program !== undefined) return { agent, sign: `process ${program}` };
    const path = packages.find((name) => [first, script].some((one) => one?.includes(`/${name}/`)));
    if (path !== undefined) return { agent, sign: `process ${path}` };
    const mark = marks.find((name) => variables.has(name));
    if (mark !== undefined) return { agent, sign: `variable ${mark}` };
  }
  return null;
}
