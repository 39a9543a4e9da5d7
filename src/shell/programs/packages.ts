import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { packageScripts } from '../code/build-files.ts';
import { globalPlace } from '../memory/installed.ts';
import { isUnknown } from '../placeholders.ts';
import { hostOf } from '../places/hosts.ts';
import type { CodeTable } from '../tool.ts';
import { inline, program } from '../tools/interpreters.ts';
import { announce, scriptFile } from '../tools/shells.ts';
import { joinWords } from '../word.ts';
import { packageAction, SYSTEM_PACKAGES } from './system-packages.ts';

/** Runs a package's program: `npx eslint`, `pnpm dlx x`, `uvx ruff`. The program is not looked into, its name is. */
function runPackage(call: Call, words: readonly Word[]): void {
  const [first, ...rest] = words;
  if (first === undefined) return;
  const name = first.text?.replace(/(?!^)@[^/]*$/, '') ?? null;
  call.packages(call.name, 'run', [first, ...call.values('--package', '--from', '--spec', '--with')]);
  call.runArgv(name === null ? words : [literal(name), ...rest]);
}

function manager(call: Call): string {
  const [action = ''] = call.command.sub;
  const global = call.has('--global', '--location') || (call.name === 'yarn' && action === 'global');
  if (action === 'exec' || action === 'dlx' || action === 'x') {
    const script = call.value('--call');
    const line = isLine(call, action) ? joinWords(call.operands) : null;
    if (script) call.runText(script.template);
    else if (line !== null) call.runText(line);
    else runPackage(call, call.operands);
  } else if (action === 'run' || action === 'run-script' || action === 'test' || action === 'start') {
    const source = scriptFile(call, literal('package.json'));
    call.packages(call.name, 'script', call.operands);
    const name = action.startsWith('run') ? (call.operands[0]?.text ?? '') : action;
    if (announce(call, source)) call.runText(packageScripts(source.template, name));
  } else {
    call.packages(call.name, isList(call, action) ? 'list' : action, call.operands, global);
    if (action === 'pkg' || action === 'set-script') scriptsSet(call, action);
    if (action === 'install' || action === 'publish' || action === 'update')
      call.network({ sends: action === 'publish' });
    if (INSTALLS.test(action) && !call.has('--ignore-scripts')) runInstallScripts(call);
  }
  return globalPlace(call.walk, call.name, call.command.argv.slice(1)) ?? UNKNOWN;
}

/** True for a shell line: `yarn exec 'a && b'`, `pnpm -c exec 'a | b'`. */
function isLine(call: Call, action: string): boolean {
  if (action !== 'exec') return false;
  return call.operands.length === 1 ? /\s/.test(call.operands[0]?.template ?? '') : call.has('--shell-mode');
}

/** `npm owner ls`: some subcommands of these verbs only report. */
function isList({ operands: [first] }: Call, action: string): boolean {
  return /^(?:dist-tag|owner|access)$/.test(action) && /^(?:ls|list|get)(?:-|$)/.test(first?.text ?? '');
}

const INSTALLS = /^(?:|i|in|ins|install|ci|add|rebuild|link)$/;

/** Install scripts that the session wrote into package.json. */
function runInstallScripts(call: Call): void {
  const source = scriptFile(call, literal('package.json'));
  if (isUnknown(source.template) || !announce(call, source)) return;
  for (const name of ['install', 'prepare']) call.runText(packageScripts(source.template, name));
}

/** `npm pkg set scripts.x='line'`: the script can run later by name. */
function scriptsSet(call: Call, action: string): void {
  const lines =
    action === 'pkg'
      ? call.operands.flatMap(({ template }) => /^scripts\.[\w:-]+=(.+)$/s.exec(template)?.[1] ?? [])
      : call.operands.slice(1, 2).map(({ template }) => template);
  for (const line of lines) call.runText(line, { guessed: true });
}

/** `bun x.ts`, `bun run x.ts`, `bun -`: a program rather than a script of the project. */
function bunFile({ command: { sub, argv }, operands }: Call): Word | undefined {
  const [verb] = sub;
  const word = verb === 'run' ? operands[0] : argv.find(({ text }) => text?.toLowerCase() === verb);
  return /^-$|\.[cm]?[jt]sx?$/.test(word?.text ?? '') ? word : undefined;
}

function bun(call: Call): string | undefined {
  const code = call.value('--eval', '--print');
  const file = bunFile(call);
  if (code) inline(call, code);
  else if (file) program(call, file);
  else return manager(call);
  return undefined;
}

function npx(call: Call): undefined {
  const script = call.value('--call');
  if (script) call.runText(script.template);
  else runPackage(call, call.operands);
}

function pip(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  for (const file of call.values('--requirement', '--constraint')) call.read(file);
  const named = [...call.operands, ...call.values('--editable')];
  call.packages(call.name, packageAction(verb), named, !call.has('--target', '--user', '--dry-run'));
  if (verb === 'install' || verb === 'download') call.network({ host: null });
}

/** Packages of a project: its dependencies, and what it publishes. */
function projectPackages(call: Call): undefined {
  const [given = ''] = call.command.sub;
  // Publishing to a directory only builds.
  const verb = call.name === 'dotnet' && given === 'publish' ? 'build' : given;
  for (const { template } of call.values('--toolexec', '--exec', '--editor')) call.runText(template);
  if ((verb === 'run' || verb === 'exec') && call.name !== 'cargo' && call.name !== 'go') {
    const [line] = call.operands;
    if (line && call.operands.length === 1 && /\s/.test(line.template)) call.runText(line.template);
    else call.runArgv(call.operands);
    return;
  }
  const named = [...call.operands, ...call.values('--git')];
  call.packages(call.name, packageAction(verb), named, verb === 'install');
  if (verb === 'publish' || verb === 'push') call.network({ sends: true });
}

function uv(call: Call): undefined {
  const [verb = '', second] = call.command.sub;
  const [first] = call.operands;
  if (verb === 'run' && /^https?:/i.test(first?.template ?? ''))
    call.execute('network', null, hostOf(first?.text ?? null));
  else if (verb === 'run' && /\.py$/.test(first?.text ?? ''))
    call.runArgv([literal('python'), ...call.operands]);
  else if (verb === 'run') call.runArgv(call.operands);
  else if (verb === 'tool' && second === 'run') runPackage(call, call.operands);
  else {
    const named = [...call.operands, ...call.values('--editable', '--from')];
    call.packages('uv', packageAction(second ?? verb), named);
  }
}

function rake(call: Call): undefined {
  for (const word of call.values('--execute', '--execute-print', '--execute-continue')) inline(call, word);
}

export const PACKAGES: CodeTable = {
  ...SYSTEM_PACKAGES,
  bun,
  npm: manager,
  npx,
  pip,
  'project-packages': projectPackages,
  rake,
  'run-package': (call) => void runPackage(call, call.operands),
  uv,
};
