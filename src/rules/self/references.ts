import { isAbsolute, join, resolve } from 'node:path';
import { isShell } from '../../model/shells.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import type { Facts, Found, World } from '../facts.ts';
import { tags } from '../match/effect-words.ts';
import { type PathPatterns, pathPatterns } from '../match/paths.ts';
import { programLines } from '../written/file-lines.ts';

type Reads = Pick<World, 'home' | 'now' | 'scriptText'>;

const REMEMBERED_PROJECTS = 20;
/** People change settings far less often than agents write files. */
const REMEMBERED_MS = 5_000;
const NONE: readonly string[] = [];

/** Scripts that settings name, by project. `names` are the settings files, in a project and in the home. */
export function createHookScripts(
  names: readonly string[],
  world: Reads,
): (project: string | null) => readonly string[] {
  const known = new BoundedMap<string, { readonly at: number; readonly scripts: readonly string[] }>(
    REMEMBERED_PROJECTS,
  );
  return (project) => {
    const before = known.get(project ?? '');
    if (before !== undefined && world.now() - before.at < REMEMBERED_MS) return before.scripts;
    const folders = [...new Set([project, world.home])].flatMap((folder) => folder ?? []);
    const scripts = folders.flatMap((folder) =>
      names.flatMap((name) => {
        const text = world.scriptText?.(join(folder, name)) ?? null;
        return text === null ? NONE : scriptsIn(text, project ?? folder, world.home);
      }),
    );
    const all = scripts.length === 0 ? NONE : [...new Set(scripts)];
    known.set(project ?? '', { at: world.now(), scripts: all });
    return all;
  };
}

const SETTING = /^[ \t]*([\w-]+)[ \t]*=/gm;
const ENDING = /\.(?:[cm]?[jt]s|py|rb|pl|php|lua|(?:ba|z)?sh|ps1|bat|cmd)$/i;
const INTERPRETER = /^(?:python[\d.]*|node|deno|bun|tsx|ruby|perl|php|lua|pwsh|powershell|uv|env|exec|run)$/;
const PROJECT = /^\$\{?\w*(?:PROJECT|WORKSPACE|ROOT|PWD)\w*\}?(?=\/)/i;
const HOME = /^(?:~|\$\{?HOME\}?)(?=\/)/;

/** Absolute paths of the scripts that settings start. */
function scriptsIn(text: string, project: string, home: string | null): readonly string[] {
  const json = text.replace(SETTING, '"$1":');
  return programLines(json).flatMap((line) =>
    line.split(/&&|\|\||[;|\n]/).flatMap((command) => {
      const word = scriptOf(wordsOf(command));
      if (word === null) return [];
      const path = word.replace(PROJECT, () => project).replace(HOME, (own) => home ?? own);
      return /[$*~]/.test(path) ? [] : isAbsolute(path) ? path : resolve(project, path);
    }),
  );
}

function wordsOf(command: string): readonly string[] {
  return (command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replace(/["']/g, ''));
}

/** The first word if it is a path, or the script of an interpreter. */
function scriptOf(words: readonly string[]): string | null {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  for (const word of first < 0 ? [] : words.slice(first)) {
    if (word.startsWith('-')) continue;
    const isProgram = isShell(word) || INTERPRETER.test(word);
    if (!isProgram) return word.includes('/') || ENDING.test(word) ? word : null;
  }
  return null;
}

const patternsBefore = new WeakMap<readonly string[], PathPatterns>();

/** Adds effects for hook scripts that are written or deleted. */
export function withHookScripts(
  effects: readonly Found[],
  facts: Facts,
  project: string | null,
): readonly Found[] {
  if (!effects.some(isChange)) return effects;
  const named = facts.world.hookScripts?.(project) ?? NONE;
  if (named.length === 0) return effects;
  const scope = facts.scope();
  const patterns = patternsBefore.get(named) ?? pathPatterns(named);
  patternsBefore.set(named, patterns);
  const found = effects.filter(isChange).filter(({ access, touched }) => {
    const certainty = patterns.touch(touched, scope);
    // Other rules ask about the loss of a whole project or a partial deletion.
    const isLoss = access === 'delete' && (touched.sifted || touched.path === scope.project);
    return certainty !== null && !isLoss;
  });
  return [
    ...effects,
    ...found.map((one) => ({ ...one, tags: tags('write', 'hook-script'), certainty: 'likely' as const })),
  ];
}

function isChange({ access, touched }: Found): boolean {
  return (access === 'write' || access === 'delete') && touched.path?.startsWith('/dev/') !== true;
}
