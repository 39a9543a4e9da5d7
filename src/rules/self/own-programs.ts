import { basename, resolve } from 'node:path';
import { SCRIPT_RUNNERS } from '../../model/shells.ts';
import { rememberPer } from '../../platform/bounded.ts';
import { PACKAGE_ROOT, PROGRAM_FOLDERS } from '../../platform/package-root.ts';
import type { Analysis, SimpleCommand, Word } from '../../shell/analysis.ts';
import { isKnownTool } from '../../shell/program-names.ts';
import type { World } from '../facts.ts';
import { execCalls } from './exec-calls.ts';
import { callsWithAddedCode, loadingCalls } from './loaded.ts';
import { killsHookline } from './processes.ts';
import { renamed } from './renamed.ts';

/** After some options and words such as `run`; later words are arguments of the script. */
const LAST_SCRIPT = 8;

/** How to recognize the program behind a path, and our own processes. */
interface Around {
  /** Resolves symbolic links. */
  real(path: string): string;
  readonly programs: World['programs'];
  readonly ownProcesses: World['ownProcesses'];
}

/**
 * The line with each call of Hookline or of an agent also under its name, in any spelling: by checkout path, by
 * package, through a link, or as a script of an interpreter. Rules about `hookline …` then apply to all of them.
 */
export function withOwnPrograms(analysis: Analysis, world: World, real: Around['real']): Analysis {
  const around = { real, programs: world.programs, ownProcesses: world.ownProcesses };
  const named = namedCalls(analysis, around);
  const added = callsWithAddedCode(analysis, named);
  const loading = loadingCalls(analysis, (path) => isOwnProgram(path, around));
  const killing = killsHookline(analysis, () => around.ownProcesses?.() ?? []);
  const isPlain = named.length + added.length + loading.length + killing.length === 0;
  const called = isPlain
    ? NONE
    : [
        ...named.map(({ command, program, at }) => renamed(command, program, at)),
        ...added,
        ...loading,
        ...killing,
      ];
  const commands = isPlain ? analysis.commands : [...analysis.commands, ...called];
  const started = execCalls(commands, agentNames(around), world.home);
  if (called.length + started.commands.length === 0) return analysis;
  return {
    ...analysis,
    commands: [...commands, ...started.commands],
    effects: [...analysis.effects, ...started.effects],
  };
}

const NONE: readonly SimpleCommand[] = [];

/** A call of a program by its script, with the number of words before it. */
export interface NamedCall {
  readonly command: SimpleCommand;
  readonly program: string;
  readonly at: number;
}

function namedCalls(analysis: Analysis, around: Around): readonly NamedCall[] {
  const calls = scriptCalls(analysis);
  if (calls.length === 0) return [];
  const names = namesGiven(analysis, around);
  const named: NamedCall[] = [];
  for (const call of calls) {
    const found = namedCall(call, names, around);
    if (found !== null) named.push(found);
  }
  return named;
}

/** A word that may be a program. */
interface Script {
  readonly at: number;
  readonly text: string;
  readonly path: string;
}

interface ScriptCall {
  readonly command: SimpleCommand;
  readonly scripts: readonly Script[];
}

/** Cached per line; most lines have none. */
const scriptCalls = rememberPer(({ commands }: Analysis): readonly ScriptCall[] =>
  commands
    .map((command) => ({ command, scripts: scriptsOf(command) }))
    .filter(({ scripts }) => scripts.length > 0),
);

function scriptsOf({ argv, tool, place, cwd }: SimpleCommand): readonly Script[] {
  if (tool === 'hookline' || place !== 'local') return [];
  const runsScripts = tool !== null && SCRIPT_RUNNERS.includes(tool);
  // An unknown program may run its arguments.
  const mayRun = runsScripts || tool === null || !isKnownTool(tool);
  // A bare word is looked up on PATH by its name; a script is looked up as a file.
  const mayBeIt = ({ template, text }: Word, at: number) =>
    at === 0
      ? text?.includes('/')
      : !isFolder(argv, at, tool) &&
        (isOwnName(template) ||
          (runsScripts && text !== null && !text.startsWith('-') && !isOwnWord(argv, at, tool)));
  const scripts: Script[] = [];
  for (const [at, word] of argv.slice(0, mayRun ? LAST_SCRIPT + 1 : 1).entries())
    if (mayBeIt(word, at))
      scripts.push({ at, text: word.template, path: resolve(cwd ?? '/', word.template) });
  return scripts;
}

const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);

/** The first word of a package manager is a subcommand or a script name; so is the one after `run`. */
function isOwnWord(argv: readonly Word[], at: number, tool: string): boolean {
  if (!MANAGERS.has(tool) || argv[at]?.text?.includes('/')) return false;
  return at === 1 || (at === 2 && /^run(?:-script)?$/.test(argv[1]?.text ?? ''));
}

const FOLDER_OPTION = /^(?:--(?:prefix|dir|cwd)|-C)$/;

/** `npm --prefix /opt/hookline run build`: a directory, not a program. */
function isFolder(argv: readonly Word[], at: number, tool: string | null): boolean {
  const [before, text] = [argv[at - 1]?.text ?? '', argv[at]?.text ?? ''];
  return (
    MANAGERS.has(tool ?? '') && (FOLDER_OPTION.test(before) || FOLDER_OPTION.test(text.replace(/=.*/s, '')))
  );
}

/** By name alone if its directory is known only at run time: `$(which hookline)`. */
function isOwnName(text: string): boolean {
  return /(?:^|\/)hookline(?:\.js)?$/.test(text);
}

const COPIES: ReadonlySet<string> = new Set(['ln', 'link', 'cp', 'mv', 'install']);

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** Other names that the line gives to agents: `ln -s $(which agent) x`. */
function namesGiven({ commands }: Analysis, around: Around): ReadonlyMap<string, string> {
  if (!commands.some(({ tool }) => tool !== null && COPIES.has(tool))) return NO_NAMES;
  const names = new Map<string, string>();
  for (const { tool, operands, cwd } of commands) {
    if (tool === null || !COPIES.has(tool) || operands.length !== 2) continue;
    const [from, to] = operands;
    if (!from || to?.text == null) continue;
    const name = basename(from.template);
    const isOwn = from.text !== null && isOwnProgram(resolve(cwd ?? '/', from.text), around);
    if (isOwn || isAgent(name, around)) names.set(resolve(cwd ?? '/', to.text), isOwn ? 'hookline' : name);
  }
  return names;
}

function namedCall(
  { command, scripts }: ScriptCall,
  names: ReadonlyMap<string, string>,
  around: Around,
): NamedCall | null {
  for (const { at, text, path } of scripts) {
    const program =
      (at > 0 && isOwnName(text)) || isOwnProgram(path, around)
        ? 'hookline'
        : (names.get(path) ?? agentIn(text, path, around));
    if (program !== null) return program === command.tool ? null : { command, program, at };
  }
  return null;
}

function isAgent(name: string, around: Around): boolean {
  return agentNames(around).includes(name);
}

function agentNames({ programs = NO_PROGRAMS }: Around): readonly string[] {
  return namesOf(programs);
}

const namesOf = rememberPer((programs: ReadonlyMap<string, string>) => [...new Set(programs.values())]);

function agentIn(text: string, path: string, { programs = NO_PROGRAMS, real }: Around): string | null {
  const followed = real(path);
  for (const { name, version, folder, program } of packagesOf(programs)) {
    if (text === name || text.startsWith(version)) return program;
    if (path.includes(folder) || followed.includes(folder)) return program;
  }
  return null;
}

/** Spellings of an agent's package: alone, with a version, and in paths. */
const packagesOf = rememberPer((programs: ReadonlyMap<string, string>) =>
  [...programs].map(([name, program]) => ({ name, version: `${name}@`, folder: `/${name}/`, program })),
);

const NO_PROGRAMS: ReadonlyMap<string, string> = new Map();

function isOwnProgram(path: string, around: Around): boolean {
  // Node also accepts a script without its extension.
  return isOurs(around.real(path)) || isOurs(around.real(`${path}.js`));
}

/** Recognizes this package anywhere, and any other copy by its program's name. */
function isOurs(real: string): boolean {
  if (basename(real) === 'hookline.js' || real === PACKAGE_ROOT) return true;
  return PROGRAM_FOLDERS.some((folder) => real.startsWith(folder));
}
