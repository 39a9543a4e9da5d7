import { ANY_SHELL } from '../../model/shells.ts';
import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { recipesOf } from '../code/build-files.ts';
import type { CodeTable } from '../tool.ts';
import { handed, runFile, runInput } from '../tools/runners.ts';
import { announce, scriptFile } from '../tools/shells.ts';
import { typed } from '../tools/typing.ts';

function crontab(call: Call): string {
  if (call.has('-r')) call.system('unschedule', 'crontab');
  else if (!call.has('-l')) {
    call.system('schedule', 'crontab');
    const [file] = call.operands;
    if (file && file.text !== '-') call.read(file);
    for (const line of call.command.stdin.template.split('\n').slice(0, 50)) {
      const command = /^\s*(?:@\w+|(?:[\d*/,-]+\s+){5})\s*(.+)$/.exec(line)?.[1];
      if (command) call.runText(command);
    }
  }
  return UNKNOWN;
}

/** at and batch run their input later. */
function later(call: Call): string {
  if (call.has('-l', '-c', '-r', '-d')) return UNKNOWN;
  call.system('schedule', call.name);
  call.read(call.value('-f'));
  if (call.command.stdin.from !== 'terminal') call.runText(call.command.stdin.template);
  return UNKNOWN;
}

function osascript(call: Call): string {
  for (const { template } of call.values('-e')) {
    call.code(template);
    if (!appleScript(call, template) || /administrator privileges/.test(template)) call.execute('unknown');
  }
  const [file] = call.operands;
  if (file) runFile(call, file, appleScriptFile);
  else if (!call.has('-e')) runInput(call, appleScriptFile);
  return UNKNOWN;
}

function appleScriptFile(call: Call, text: string): void {
  handed(call, text);
  appleScript(call, text);
}

const RUN_OR_TYPED =
  /(?:do(?: (?:shell )?script\s+|(?:Shell)?Script\(\s*)|\b(write text|keystroke)\s+)"((?:\\.|[^"\\])*)"/g;

/** True if it has lines that a shell runs, or that are typed into one. */
function appleScript(call: Call, text: string): boolean {
  const found = [...text.matchAll(RUN_OR_TYPED)];
  for (const [, types, quoted = ''] of found) {
    const line = quoted.replace(/\\(.)/g, '$1');
    if (types === undefined) call.runText(line);
    else typed(call, [literal(line)]);
  }
  for (const [, file = ''] of text.matchAll(/\bdelete\s+\(?\s*POSIX file\s+"([^"]+)"/g))
    call.remove(literal(file), true, false);
  return found.length > 0;
}

const USUAL_SHELL = new RegExp(`=/(?:usr/)?bin/${ANY_SHELL}$`);

function make(call: Call): undefined {
  const directory = call.value('--directory');
  const file = call.value('--file', '--makefile') ?? literal('Makefile');
  if (directory) call.cwd = call.path(directory).path;
  recipes(call, file);
  const shell = call.operands.find((word) => /^\.?SHELL(?:FLAGS)?\s*:?=/.test(word.template));
  if (shell && !USUAL_SHELL.test(shell.template)) call.execute('unknown');
  for (const { template } of call.values('--eval')) evaluated(call, template);
}

/** Makefile text in an option. */
function evaluated(call: Call, text: string): void {
  call.runText(recipesOf(text, []));
  for (const [, line = ''] of text.matchAll(/\$\(shell\s+([^\n]+)\)/g)) call.runText(line);
  for (const [, file = ''] of text.matchAll(/\$\(file\s*>>?\s*([^,)\s]+)/g)) call.write(literal(file));
}

/** The recipes of a makefile that the line or the session wrote. */
function recipes(call: Call, file: Word): void {
  const source = scriptFile(call, file);
  const goals = call.operands.flatMap(({ text }) => (text === null || text.includes('=') ? [] : text));
  if (announce(call, source)) call.runText(recipesOf(source.template, goals));
  // A setting that holds a shell line rather than a program name.
  for (const word of call.operands) {
    const value = /^\w+=(.*[;&|`].*)$/s.exec(word.template)?.[1];
    if (value !== undefined) call.runText(value, { guessed: true });
  }
}

/** A mount hides the previous content; with a bind mount, one path leads to the other. */
function mount(call: Call): undefined {
  const given = call.values('--options').map(({ template }) => template);
  const isBound =
    call.has('--bind', '-R', '--rbind', '--move') || given.some((text) => /bind|move/.test(text));
  // Options that change an existing mount, or allow set-user-ID programs on it.
  const isOther = given.some((text) => /remount|(?<!no)suid|(?:lower|upper)dir/.test(text));
  call.system(isBound || isOther ? 'mount changed' : 'mount', call.operands.at(-1)?.text ?? null);
  for (const word of isBound ? call.operands : call.operands.slice(1))
    call.system('link', call.path(word).path);
}

function unmount(call: Call): undefined {
  call.system(call.has('--all') ? 'mount changed' : 'mount', call.operands[0]?.text ?? null);
  for (const word of call.operands) call.system('link', call.path(word).path);
}

/** Settings are selected by owner or by file. */
function settings(call: Call): undefined {
  const [place] = call.operands;
  call.system('settings', place?.text ?? null);
  if (place && /^[/~.]/.test(place.template))
    call.write(literal(`${place.template.replace(/\.plist$/, '')}.plist`));
}

/** The service name comes before the verb. */
function service(call: Call): undefined {
  const [name, verb = ''] = call.command.sub;
  call.system(`service ${verb}`, name ?? null);
}

function ufw(call: Call): undefined {
  call.system('firewall', call.command.sub[0] ?? null);
}

/** The machine: schedules, builds, mounts, settings. */
export const SYSTEM: CodeTable = { crontab, later, make, mount, osascript, service, settings, ufw, unmount };
