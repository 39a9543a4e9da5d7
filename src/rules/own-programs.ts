import { basename, dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCRIPT_RUNNERS } from '../model/script-runners.ts';
import type { Analysis, SimpleCommand, Word } from '../shell/analysis.ts';
import type { World } from './facts.ts';

/** After some options and words such as `run`; what comes later are arguments of the script. */
const LAST_SCRIPT = 8;

/**
 * The line with each call of Hookline's own program, or of an agent, also under its name, however it was spelled: by
 * its path in a checkout, by its package, through a link, or as the script of an interpreter. Rules about
 * `hookline …` then apply to all of them.
 */
export function withOwnPrograms(analysis: Analysis, world: World): Analysis {
  const names = namesGiven(analysis, world);
  const programAt = (text: string, cwd: string | null): string | null => {
    const path = resolve(cwd ?? '/', text);
    return isOwnProgram(path, world) ? 'hookline' : (names.get(path) ?? agentIn(text, path, world));
  };
  const called = analysis.commands.flatMap((command) => namedCall(command, programAt) ?? []);
  return called.length === 0 ? analysis : { ...analysis, commands: [...analysis.commands, ...called] };
}

const COPIES: ReadonlySet<string> = new Set(['ln', 'link', 'cp', 'mv', 'install']);

/** Other names that the line itself gives to programs of agents: `ln -s $(which agent) x`. */
function namesGiven({ commands }: Analysis, world: World): ReadonlyMap<string, string> {
  const known = new Set(world.programs?.values());
  const names = new Map<string, string>();
  for (const { tool, operands, cwd } of commands) {
    if (tool === null || !COPIES.has(tool) || operands.length !== 2) continue;
    const [from, to] = operands;
    if (!from || to?.text == null) continue;
    const name = basename(from.template);
    const isOwn = from.text !== null && isOwnProgram(resolve(cwd ?? '/', from.text), world);
    if (isOwn || known.has(name)) names.set(resolve(cwd ?? '/', to.text), isOwn ? 'hookline' : name);
  }
  return names;
}

function agentIn(text: string, path: string, world: World): string | null {
  for (const [name, program] of world.programs ?? []) {
    if (text === name || text.startsWith(`${name}@`)) return program;
    if (path.includes(`/${name}/`) || world.real(path).includes(`/${name}/`)) return program;
  }
  return null;
}

function namedCall(
  command: SimpleCommand,
  programAt: (text: string, cwd: string | null) => string | null,
): SimpleCommand | null {
  const { argv, tool, cwd } = command;
  if (tool === 'hookline' || command.place !== 'local') return null;
  const runsScripts = tool !== null && SCRIPT_RUNNERS.includes(tool);
  // A bare word is looked for on the PATH, where its name is what it is called; a script is looked for where one is.
  const mayBeIt = (text: string, index: number) =>
    index === 0 ? text.includes('/') : runsScripts && index <= LAST_SCRIPT && !text.startsWith('-');
  const program = (text: string | null, index: number) =>
    text !== null && mayBeIt(text, index) ? programAt(text, cwd) : null;
  const at = argv.findIndex(({ text }, index) => program(text, index) !== null);
  const word = argv[at];
  const name = word ? program(word.text, at) : null;
  if (!word || name === null || name === tool) return null;
  const rest = argv.slice(at + 1);
  const isOption = ({ template }: Word) => template.startsWith('-');
  return {
    ...command,
    name,
    tool: name,
    argv: [word, ...rest],
    sub: [],
    options: rest.filter(isOption).map(({ template, raw }) => ({
      name: template.replace(/=.*/s, ''),
      value: null,
      raw,
      declared: false,
    })),
    operands: rest.filter((word) => !isOption(word)),
  };
}

function isOwnProgram(path: string, world: World): boolean {
  // Node takes a script without its ending, too.
  return [path, `${path}.js`].some((one) => isOurs(world.real(one)));
}

/** Of this package wherever it lies, and of any other copy by the name of its program. */
function isOurs(real: string): boolean {
  if (basename(real) === 'hookline.js' || real === ROOT) return true;
  return ['bin', 'dist'].some((folder) => real.startsWith(`${ROOT}${sep}${folder}${sep}`));
}

/** The folder of this package: above the bundle, or above the sources. */
const ROOT = packageRoot(dirname(fileURLToPath(import.meta.url)));

function packageRoot(folder: string): string {
  return basename(folder) === 'dist' ? dirname(folder) : resolve(folder, '..', '..');
}
