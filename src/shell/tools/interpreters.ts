import { factWords } from '../../knowledge/facts.ts';
import type { Facts } from '../../knowledge/program.ts';
import { entryOf } from '../../model/lookup.ts';
import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { importsOf, nodeFiles, pythonFiles } from '../code/imports.ts';
import { LANGUAGES } from '../code/languages.ts';
import { scanCode } from '../code/scan.ts';
import { onlySubstitutes } from '../code/substitutions.ts';
import { isUnknown } from '../placeholders.ts';
import { resolvePath } from '../places/paths.ts';
import { serves, wordAfter } from '../programs/network/file-servers.ts';
import type { CodeTable, TextReader } from '../tool.ts';
import { isFed } from '../traits/feeders.ts';
import { powershell } from './powershell-program.ts';
import { announce, ownText, scriptFile, scriptInput } from './shells.ts';

/** What a debugger runs itself, and what it makes the attached process run. */
function debugged(call: Call): undefined {
  for (const { template } of call.values(
    '--ex',
    '--eval-command',
    '--iex',
    '--init-eval-command',
    '-o',
    '--one-line',
    '-O',
  ))
    debuggerCommand(call, template);
}

function debuggerFile(call: Call, text: string): void {
  for (const line of text.split('\n')) if (line.trim() !== '') debuggerCommand(call, line);
}

function debuggerCommand(call: Call, text: string): void {
  call.code(text);
  const shell = /^\s*(?:!|(?:platform\s+)?shell\s)\s*(.+)$/s.exec(text)?.[1];
  if (shell) call.runText(shell);
  const code = /^\s*(?:python|py|script)\s+(.+)$/s.exec(text)?.[1];
  if (code !== undefined) scanCode(call, code, LANGUAGES.python);
  const file = /^\s*(?:source|command source)\s+(?:-\S+\s+)*(\S+)/.exec(text)?.[1];
  if (file !== undefined) call.runArgv([literal('gdb'), literal('-x'), literal(file)]);
  const dumped = /^\s*(?:dump|append)\s+(?:\w+\s+)*?(\S*[/~.]\S*)/.exec(text)?.[1];
  if (dumped !== undefined) call.write(literal(dumped));
  for (const [, line = ''] of text.matchAll(CALLED_SYSTEM)) call.runText(line.replace(/\\(.)/g, '$1'));
}

const CALLED_SYSTEM = /\b(?:system|popen|execlp?)\s*\)?\(\s*"((?:\\.|[^"\\])*)"/g;

export function inline(call: Call, code: Word): void {
  const language = entryOf(LANGUAGES, call.name);
  if (language === undefined || !ownText(call, code)) return;
  if (isUnknown(code.template)) {
    call.execute('unknown');
    call.walk.lost(`${call.command.name} runs code that is not known`);
    return;
  }
  if (call.name === 'perl' && onlySubstitutes(code.template)) return;
  scanWithImports(call, modulesBefore(call) + code.template, call.cwd);
  // A command line passed to the wrong interpreter.
  if (/^\s*(?:rm|git|dd|mkfs\S*|shred|sudo|chmod|curl|wget)\s+-/.test(code.template)) {
    call.runText(code.template, { guessed: true });
  }
}

/** Modules loaded before the program: `-MFile::Find`, `-rfind`. */
function modulesBefore(call: Call): string {
  const option = call.name === 'perl' ? '-M' : call.name === 'ruby' ? '-r' : null;
  const names = option === null ? [] : call.values(option);
  return names.map(({ template }) => `use ${template};\n`).join('');
}

/** The knowledge file names the options that take code. */
function interpreter(call: Call, facts: Facts): string | undefined {
  const printed = call.name === 'python' ? modulesFolder(call) : null;
  act(call, factWords(facts, 'code'));
  return printed ?? undefined;
}

const ASKS_MODULES =
  /\b(?:getusersitepackages|getsitepackages|USER_SITE|purelib|platlib|get_python_lib|site_packages)\b/;

/** The directory from which Python loads startup code, if a line prints it. */
function modulesFolder(call: Call): string | null {
  const asked = call
    .values('-c')
    .some(({ template }) => ASKS_MODULES.test(template) && /\bprint\b/.test(template));
  const isSite =
    call.value('-m')?.text === 'site' && call.command.argv.some(({ text }) => text === '--user-site');
  return asked || isSite ? `${UNKNOWN}/site-packages` : null;
}

function act(call: Call, codeOptions: readonly string[]): void {
  const codes = call.values(...codeOptions);
  for (const code of codes) inline(call, code);
  runArguments(call, codes.at(-1));
  servesFiles(call, codes);
  const printed = codes.length === 0 && call.has('--print') ? call.operands[0] : undefined;
  if (printed) inline(call, printed);
  for (const { template } of call.values('--require', '--import', '--loader', '--experimental-loader'))
    scanFiles(call, nodeFiles(template), call.cwd, new Set());
  if (call.name === 'ruby')
    for (const { template } of call.values('-r'))
      scanFiles(call, [template, `${template}.rb`], call.cwd, new Set());
  const module = call.value('-m');
  if (module && call.name === 'python') pythonModule(call, module);
  if (codes.length > 0 || printed || module) {
    if (call.has('-n', '-p')) for (const word of call.operands) call.read(word);
    if (call.has('-i') && call.name !== 'python') for (const word of call.operands) call.write(word);
    return;
  }
  if (call.has('--version', '--help', '-V', '-v', '--check')) return;
  if (call.operands.length === 0 && !call.has('--file') && call.command.stdin.from === 'terminal') {
    if (isFed(call.walk.frame.via)) call.walk.lost(`what is read gives ${call.name} its program`);
    return;
  }
  for (const word of programsOf(call)) program(call, word);
}

/** `perl -e 'exec @ARGV' rm -rf x`: code that runs its arguments. */
function runArguments(call: Call, code: Word | undefined): void {
  if (code === undefined || !/\bargv\b/i.test(code.template) || !STARTS.test(code.template)) return;
  const { argv } = call.command;
  const words = argv.slice(argv.indexOf(code) + 1);
  const own = words[0]?.text === '--' ? words.slice(1) : words;
  if (own.length > 0) call.runArgv(own, { guessed: true });
}

const STARTS = /\b(?:exec\w*|system|spawn\w*|popen\w*|run|call|check_(?:call|output))\b/i;

/**
 * Its first operand. After an unknown option, which may take that word as its value, also files that the session wrote.
 */
function programsOf(call: Call): readonly (Word | undefined)[] {
  const [file, ...others] = [...call.values('--file'), ...call.operands];
  if (call.command.options.every(({ declared }) => declared)) return [file];
  const written = others.slice(0, 3).filter((word) => {
    const path = word.text === null ? null : call.path(word).path;
    return path !== null && call.walk.store.script(path) !== undefined;
  });
  return [file, ...written];
}

/** A program in a file or on its input. */
export function program(call: Call, file: Word | undefined): void {
  const source = file === undefined || file.text === '-' ? scriptInput(call) : scriptFile(call, file);
  if (file && file.text !== '-' && !file.output) call.read(file);
  const folder = source.path === null ? call.cwd : source.path.slice(0, source.path.lastIndexOf('/'));
  if (announce(call, source)) scanWithImports(call, source.template, folder);
}

/** A program text, and its modules that the session wrote. */
function scanWithImports(call: Call, text: string, folder: string | null, seen = new Set<string>()): void {
  const language = entryOf(LANGUAGES, call.name);
  if (language === undefined) return;
  scanCode(call, text, language);
  scanFiles(call, importsOf(text, call.name), folder, seen);
}

const MAX_MODULES = 64;

function scanFiles(call: Call, files: readonly string[], folder: string | null, seen: Set<string>): void {
  for (const file of files) {
    const path = folder === null ? file : resolvePath(file, { cwd: folder, home: call.walk.home });
    if (!path.startsWith('/') || seen.has(path) || seen.size > MAX_MODULES) continue;
    const written = call.walk.store.script(path);
    if (written === undefined) continue;
    seen.add(path);
    const source = { ...written, path };
    if (announce(call, source))
      scanWithImports(call, written.template, path.slice(0, path.lastIndexOf('/')), seen);
  }
}

/** Built-in servers of PHP and Ruby: `php -S 0.0.0.0:80`, `ruby -run -e httpd .`. */
function servesFiles(call: Call, [code]: readonly Word[]): void {
  const address = call.name === 'php' ? call.value('--server') : null;
  if (address) serves(call, call.value('--docroot'), address.text);
  if (call.name === 'ruby' && code?.text === 'httpd')
    serves(
      call,
      call.operands[0] ?? null,
      wordAfter(call.command.argv, /^(?:-b|--bind-address)$/)?.text ?? null,
    );
}

/** `python -m pip …` is pip; a server module is a server. */
function pythonModule(call: Call, module: Word): void {
  const name = module.text;
  if (name !== null) scanFiles(call, pythonFiles(name), call.cwd, new Set());
  if (name === null) call.walk.lost('python runs a module that is not known');
  else if (/^(?:http\.server|SimpleHTTPServer|smtpd|ftpd|pyftpdlib|uploadserver)/.test(name)) {
    const { argv } = call.command;
    serves(
      call,
      wordAfter(argv, /^(?:-d|--directory)$/),
      wordAfter(argv, /^(?:-b|--bind|-i|--interface)$/)?.text ?? null,
    );
  } else call.runArgv([literal(name), ...call.operands]);
}

/** Lisp lists begin with the callee, so they are read like shell commands. */
function tcl(call: Call): undefined {
  const [file] = call.operands;
  const source = file === undefined ? scriptInput(call) : scriptFile(call, file);
  if (!announce(call, source)) return;
  const host = /\[?\bsocket\s+(?:-\w+\s+)*([\w.:-]+)\s+\d+/.exec(source.template)?.[1];
  if (host !== undefined) call.network({ host, sends: true });
  for (const [, line = ''] of source.template.matchAll(/\b(?:exec|spawn)\s+([^\]}\n;]+)/g))
    call.runText(line);
  if (host !== undefined && /\b(?:exec|eval)\s+[^\n]*\$/.test(source.template))
    call.execute('network', null, host);
}

const DENO_RUNS = /^(?:run|test|bench|serve|compile)$/;

function deno(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const [first] = call.operands;
  if (verb === 'eval' && first) inline(call, first);
  else if (first && /^https?:/.test(first.template)) call.execute('network', call.path(first).path);
  else if (first && DENO_RUNS.test(verb)) program(call, first);
  else if (first) call.execute('file', call.path(first).path);
}

function crystal(call: Call): undefined {
  const [first] = call.operands;
  if (first && call.command.sub[0] === 'eval') inline(call, first);
}

/** Interpreters. */
export const INTERPRETERS: CodeTable = { crystal, debugged, deno, interpreter, powershell, tcl };

/** Files that they execute. */
export const INTERPRETER_TEXTS: Readonly<Record<string, TextReader>> = { 'debugger-file': debuggerFile };
