import { entryOf } from '../../model/lookup.ts';
import { type Call, literal } from '../call.ts';
import { LANGUAGES } from '../code/languages.ts';
import { fetchedFrom } from '../memory/fetched.ts';
import type { Content } from '../memory/store.ts';
import { isUnknown } from '../placeholders.ts';
import { baseName, isActing, toolName } from '../program-names.ts';
import { undescribed } from './service-verbs.ts';
import { isDecoded } from './shells.ts';

const MAX_SKIPPED = 5;

/**
 * Any program may run its arguments. An unknown program is assumed to if its first words include a known program with
 * arguments; commands found that way are marked `guessed`.
 */
export function guessWrapped(call: Call): void {
  const { argv } = call.command;
  const path = argv[0]?.text ?? '';
  if (path.includes('/') && !path.startsWith('/')) call.execute('file', call.path(argv[0] ?? EMPTY).path);
  const known = path.includes('/')
    ? call.walk.store.script(call.path(argv[0] ?? EMPTY).path ?? '')
    : installed(call, path);
  if (known) runWritten(call, known);
  if (!path.includes('/')) undescribed(call);
  runGuessed(call);
}

/** The same for a program that is one of several files. */
export function guessListed(call: Call): void {
  call.execute('file', null);
  runGuessed(call);
}

function runGuessed(call: Call): void {
  const { argv } = call.command;
  for (let i = 1; i < Math.min(argv.length - 1, MAX_SKIPPED); i++) {
    const text = argv[i]?.text;
    if (!text || text.startsWith('-') || !isActing(baseName(text))) continue;
    call.runArgv(argv.slice(i), { guessed: true });
    return;
  }
}

/** Where shells look for programs. */
const BINARIES = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '~/.local/bin', '~/bin'];

/** A program that the line itself put on PATH. */
function installed(call: Call, name: string): Content | undefined {
  for (const folder of BINARIES) {
    const { path } = call.path(literal(`${folder}/${name}`));
    const file = path === null ? undefined : call.walk.store.script(path);
    if (file) return file;
  }
  return undefined;
}

/**
 * A known program name that the session put into a directory of PATH, which the line sets: it runs instead of the real
 * one.
 */
export function runFromPath(call: Call): void {
  const { argv, assignments } = call.command;
  const name = argv[0]?.text ?? '';
  const set = assignments.findLast((one) => one.name === 'PATH');
  const folders = set ? (set.value ?? written(set.raw)) : call.walk.state.variables.get('PATH')?.value;
  if (name === '' || name.includes('/') || folders === undefined) return;
  for (const folder of folders.split(':').slice(0, MAX_FOLDERS)) {
    const { path } = call.path(literal(folder === '' ? `./${name}` : `${folder}/${name}`));
    const file = path === null ? undefined : call.walk.store.script(path);
    if (!file) continue;
    call.execute('file', path);
    runWritten(call, file);
    return;
  }
}

const MAX_FOLDERS = 40;

/** The value of `PATH=`, part of which is known only at run time: `.:$PATH`. */
function written(raw: string): string {
  return raw
    .replace(/^PATH=/, '')
    .replace(/["']/g, '')
    .replace(/\$(?:PWD\b|\{PWD\}|\(pwd\))/g, '.');
}

const EMPTY = { text: '', raw: '', dynamic: false, glob: false, template: '' };

/** `./x` after an earlier command wrote or downloaded x. */
function runWritten(call: Call, { template, sources, unread }: Content): void {
  const host = fetchedFrom(call, sources, template);
  if (host !== undefined) {
    call.execute('network', call.path(call.command.argv[0] ?? EMPTY).path, host);
    call.walk.lost(`${call.command.name} is code from the network`);
    return;
  }
  const copied = copiedProgram(call, template);
  if (copied !== null) {
    call.runArgv([literal(copied), ...call.command.argv.slice(1)]);
    return;
  }
  if (isUnknown(template)) {
    if (unread) call.runArgv([literal('sh'), ...call.command.argv]);
    else if (isDecoded(call, sources)) call.execute('decoded');
    return;
  }
  const path = call.command.argv[0]?.text ?? '';
  const interpreter = /\.ps1$/i.test(path) ? 'pwsh' : interpreterOf(template, path);
  if (interpreter === null) call.runText(template);
  else call.runArgv([literal(interpreter), ...call.command.argv]);
}

/** A copy of a known program: `cp /bin/sh x; ./x`. */
function copiedProgram({ walk }: Call, template: string): string | null {
  const [origin, ...others] = isUnknown(template) ? walk.originsOf(template) : [];
  if (origin?.kind !== 'file' || origin.ref.path === null || others.length > 0) return null;
  return isActing(baseName(origin.ref.path)) ? origin.ref.path : null;
}

const BY_ENDING: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
};

/** The interpreter of a file started by name, other than a shell: by its first line or its extension. */
function interpreterOf(text: string, path: string): string | null {
  const named = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?([\w.+-]+)/.exec(text)?.[1];
  const name = named ?? entryOf(BY_ENDING, path.slice(path.lastIndexOf('.') + 1)) ?? null;
  return name !== null && entryOf(LANGUAGES, toolName(name)) ? name : null;
}
