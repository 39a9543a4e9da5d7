import { once, rememberPer } from '../../platform/bounded.ts';
import type { Effect } from '../../shell/analysis.ts';
import { isDoneInOrder } from '../../shell/shape.ts';
import type { Facts, Found } from '../facts.ts';

/**
 * Whether what is on the disk now is what a command will find when its turn comes, at the place that its words say: no
 * other command of the line moves, links or brings back work, and none runs what is not of the project.
 */
export function isSettledLine(found: Found, facts: Facts): boolean {
  const analysis = facts.analysis();
  if (analysis === null || found.command === null) return analysis === null;
  const command = analysis.commands[found.command];
  if (command === undefined || command.place !== 'local' || command.guessed) return false;
  return isSettled(facts)();
}

const isSettled = rememberPer((facts: Facts) =>
  once((): boolean => {
    const analysis = facts.analysis();
    return (
      analysis !== null &&
      analysis.coverage === 'complete' &&
      analysis.effects.every((effect) => leavesInPlace(effect, facts)) &&
      knowsFolders(facts)
    );
  }),
);

function leavesInPlace(effect: Effect, facts: Facts): boolean {
  switch (effect.kind) {
    case 'delete':
      return !effect.moved;
    case 'vcs':
      // What was put away may come back.
      return !/^stash(?: (?!list|show)|$)/.test(effect.action);
    case 'system':
      return effect.action !== 'link';
    case 'env':
      return effect.op === 'read' || !effect.name.startsWith('GIT_');
    case 'run':
      return effect.program !== null;
    case 'execute':
      // What the project itself runs makes things; those that go with it are no work of anybody's.
      return effect.from === 'file' && effect.path !== null && isInProject(effect.path, facts);
    default:
      return true;
  }
}

function isInProject(path: string, facts: Facts): boolean {
  const { project } = facts.scope();
  return project !== null && facts.real(path).startsWith(`${facts.real(project)}/`);
}

/** Whether each command works where it seems to: a `cd` that fails leaves the rest of the line in another folder. */
function knowsFolders(facts: Facts): boolean {
  const { cwd, tool, world } = facts;
  const folders = new Set(facts.analysis()?.commands.map((command) => command.cwd));
  if (cwd === null || folders.has(null)) return false;
  folders.delete(cwd);
  if (folders.size === 0) return true;
  const line = tool?.command;
  if (line == null || !isDoneInOrder(line)) return false;
  return (
    !/[;\n]/.test(line) || [...folders].every((folder) => folder !== null && world.exists?.(folder) === true)
  );
}
