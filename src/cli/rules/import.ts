import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { AGENTS } from '../../agents/_registry.ts';
import { changeAsPerson } from '../../client/confirm.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { entryOf } from '../../model/lookup.ts';
import type { ImportedRules, ImportNote } from '../../model/rule-drafts.ts';
import { counted } from '../../model/text.ts';
import { readRegularText } from '../../platform/bounded-files.ts';
import { readIfExists, writeUserFile } from '../../platform/files.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { readDamageControl } from '../../rules/import/damage-control.ts';
import { ruleFileOf } from '../../rules/import/file.ts';
import { readHookify } from '../../rules/import/hookify.ts';
import { readRulesync } from '../../rules/import/rulesync.ts';
import { agentCalled } from '../agents/agent-name.ts';
import { FIRST_AGENT } from '../agents/first-agent.ts';
import { usage } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import type { Changed } from './enforce.ts';

interface ImportOptions {
  readonly by: string;
  readonly yes: boolean;
  readonly json: boolean;
  readonly changed: Changed;
}

interface Format {
  /** The files to read if none is named. */
  files(): readonly string[];
  /** The files of a directory that have this format. */
  readonly named: RegExp;
  read(text: string, path: string): ImportedRules;
}

const context = () => ({ home: process.env.HOME || homedir(), cwd: process.cwd(), env: process.env });

/** Other tools keep their files next to those of an agent. */
function besideAgents(name: RegExp): string[] {
  const { home, cwd } = context();
  return [home, cwd].flatMap((root) =>
    readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.startsWith('.'))
      .flatMap((entry) => filesIn(join(root, entry.name), name)),
  );
}

const HOOKIFY = /^hookify\..*\.local\.md$/;
const PATTERNS = /^patterns\.ya?ml$/;

const TOOLS: Readonly<Record<string, Format>> = {
  hookify: { files: () => besideAgents(HOOKIFY), named: HOOKIFY, read: readHookify },
  'damage-control': {
    files: () => filesIn(process.cwd(), PATTERNS),
    named: PATTERNS,
    read: readDamageControl,
  },
};

function formatNamed(name: string | undefined): Format {
  const tool = name === undefined ? undefined : entryOf(TOOLS, name);
  if (tool) return tool;
  const permissions = name === undefined ? undefined : agentCalled(name)?.permissions;
  if (!permissions) {
    const known = [...AGENTS.values()].filter((agent) => agent.permissions).map(({ id }) => id);
    throw usage(
      'rules',
      `Missing source. Use one of: ${[...known, ...Object.keys(TOOLS), 'rulesync'].join(', ')}.`,
    );
  }
  return { files: () => permissions.files(context()), named: /./, read: permissions.read };
}

function filesIn(folder: string, named: RegExp): string[] {
  return readdirSync(folder)
    .filter((name) => named.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .sort();
}

/** Converts settings of other tools or of the agents to rules. Shows the file first and asks. */
export async function importRules(
  paths: HomePaths,
  name: string | undefined,
  path: string | undefined,
  given: ImportOptions,
): Promise<number> {
  if (name === 'rulesync') return importHooks(paths, path ?? '.rulesync/hooks.json', given);
  const format = formatNamed(name);
  const isAgents = path === undefined && agentCalled(name ?? '') !== undefined;
  const files = path === undefined ? format.files() : named(resolve(path), format);
  const { text, count, notes } = ruleFileOf(
    files.map((file) => inItsProject(format.read(readRegularText(file), file), projectOf(file, isAgents))),
    files,
  );
  const target = join(paths.rules, `imported-${name}.yaml`);
  if (given.json) console.log(JSON.stringify({ files, target, rules: count, text, notes }));
  else {
    if (text !== null)
      console.log(editLines({ path: target, before: readIfExists(target), after: text }).join('\n'));
    tell(count, 'rule', notes);
  }
  // Nothing to import is not a failure.
  return text === null
    ? 0
    : write(paths, target, text, { ...given, done: `imported ${counted(count, 'rule')} from ${name}` });
}

/** Permissions given in a project apply only to that project. */
function inItsProject({ rules, notes }: ImportedRules, root: string | null): ImportedRules {
  if (root === null || root === context().home) return { rules, notes };
  return { rules: rules.map((rule) => ({ ...rule, cwd: `${root}/**` })), notes };
}

/**
 * The project directory that a file belongs to; null for the user's own files. An agent looks in the current directory
 * only.
 */
function projectOf(file: string, isAgents: boolean): string | null {
  const { cwd } = context();
  if (isAgents) return file.startsWith(`${cwd}/`) ? cwd : null;
  return /^(.*?)\/\.[^/]+\//.exec(file)?.[1] ?? null;
}

function named(path: string, { named: wanted }: Format): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new HooklineError('NOT_FOUND', `File not found: ${path}.`);
  return stat.isDirectory() ? filesIn(path, wanted) : [path];
}

/** These are commands to run, so they become hooks. */
async function importHooks(paths: HomePaths, path: string, given: ImportOptions): Promise<number> {
  const text = readIfExists(path);
  if (text === null) throw new HooklineError('NOT_FOUND', `File not found: ${path}.`);
  const { hooks, notes } = readRulesync(text, resolve(path), FIRST_AGENT);
  const before = readIfExists(paths.hooksFile);
  const document = parseDocument(before ?? 'hooks: []\n');
  if (!document.hasIn(['hooks'])) document.set('hooks', []);
  for (const hook of hooks) document.addIn(['hooks'], document.createNode(hook));
  const after = document.toString({ lineWidth: 0 });
  if (given.json) console.log(JSON.stringify({ files: [path], target: paths.hooksFile, hooks, notes }));
  else {
    if (hooks.length > 0) console.log(editLines({ path: paths.hooksFile, before, after }).join('\n'));
    tell(hooks.length, 'hook', notes);
  }
  return hooks.length === 0
    ? 0
    : write(paths, paths.hooksFile, after, {
        ...given,
        done: `imported ${counted(hooks.length, 'hook')} from rulesync`,
      });
}

function tell(count: number, noun: string, notes: readonly ImportNote[]): void {
  if (count === 0 && notes.length === 0) {
    console.log('Nothing to import.');
    return;
  }
  const what = counted(count, noun);
  console.log('');
  console.log(
    notes.length === 0 ? `${what}, all converted exactly.` : `${what}. Not converted, or not exactly:`,
  );
  for (const note of notes) console.log(`  ${paint.yellow(note.what)}  ${note.why}`);
}

async function write(
  paths: HomePaths,
  path: string,
  text: string,
  { by, yes, json, changed, done }: ImportOptions & { readonly done: string },
): Promise<number> {
  // With --json it only shows the result, unless --yes is given too.
  if (json && !yes) return 0;
  if (!(await confirmed('Apply these changes?', yes, 'rules'))) return 1;
  makeFolder(dirname(path), 0o700);
  const waiting = await changeAsPerson(paths, by, () => writeUserFile(path, text, 0o600));
  await changed(done);
  if (json) return 0;
  console.log(
    `${paint.green('Written')} ${path}. Run \`hookline rules backtest\` to test it against recorded calls.`,
  );
  if (waiting !== null) console.log(paint.yellow(waiting));
  return 0;
}
