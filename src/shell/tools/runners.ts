import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { hasUnknown, isUnknown } from '../marks.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { undescribed } from './service-verbs.ts';
import { announce, scriptFile, scriptInput } from './shells.ts';

/** Lines that a program text of whatever language hands to a shell. */
const HANDED =
  /(?:\b(?:system|shell|popen|e?syscmd|spawn|execute|callCommand|shell_exec)\b[ \t]*\(?[ \t]*|\bexec\w?\w?[ \t]*(?:\([ \t]*)?(?=["'`])|^[ \t]*(?:[\d.,$%]*[rwe]?[ \t]*)!)["'`]?([^"'`)\n]{1,500})|\\write18[ \t]*\{([^}\n]{1,500})/gm;

/** The same where it is certain that it is a program: the line stands in quotes. */
const CALLED =
  /\b(?:system|shell|popen|spawn|execute|callCommand|shell_exec|exec\w?\w?)\b[ \t]*\(?[ \t]*["'`]([^"'`\n]{1,500}["'`]?(?:[ \t]*,[ \t]*["'][^"'\n]{0,200}["']){0,20})|\\write18[ \t]*\{([^}\n]{1,500})/gm;

export function handedLines(text: string, quoted = false): readonly string[] {
  return [...text.matchAll(quoted ? CALLED : HANDED)].map(([, line, written]) =>
    words(line ?? written ?? ''),
  );
}

/** `rm", "-rf", "x"` is `rm -rf x`. */
function words(list: string): string {
  return list.replace(/["'`][ \t]*,[ \t]*["']/g, ' ').replace(/["'`]$/, '');
}

export function handed(call: Call, text: string): void {
  call.code(text);
  for (const line of handedLines(text)) call.runText(line);
}

/** A program in a file: where it comes from is known, and perhaps what it does; at least what it hands to a shell. */
export function runFile(call: Call, file: Word, as: (call: Call, text: string) => void = handed): void {
  const isInput = file.text === '-' || file.text === '/dev/stdin';
  if (!isInput && !file.output) call.read(file);
  const source = isInput ? scriptInput(call) : scriptFile(call, file);
  if (announce(call, source)) as(call, source.template);
}

/** Files that the line in a table says are executed; of those that nobody names, the ones that the session has written. */
export function runExecuted(call: Call, { options, found = [], as }: NonNullable<Tool['executes']>): void {
  for (const file of call.values(...options)) runFile(call, file, as);
  for (const [variable = '', ...names] of found.map((path) => path.split('/'))) {
    const folder = variableIn(call, variable);
    if (folder === null) continue;
    const file = literal([folder, ...names].join('/'));
    const { template, unread } = scriptFile(call, file);
    if (unread || !isUnknown(template)) runFile(call, file, as);
  }
}

function variableIn({ command, walk }: Call, name: string): string | null {
  const own = command.assignments.find((one) => one.name === name);
  if (own) return own.value;
  return walk.state.variables.get(name)?.value ?? (name === 'HOME' ? walk.home : null);
}

/** A program on its input, if there is one. */
export function runInput(call: Call, as: (call: Call, text: string) => void = handed): void {
  if (call.command.stdin.from === 'terminal') return;
  const source = scriptInput(call);
  if (announce(call, source)) as(call, source.template);
}

interface Programs {
  /** Options that hold a program, and options that name the file of one. */
  readonly code?: readonly string[];
  readonly files?: readonly string[];
  readonly singleDash?: boolean;
}

/** Programs that read a program in a language of which only this much is known. */
function runs(options: string, { code = [], files = [], singleDash = false }: Programs = {}): Tool {
  return {
    options,
    stop: true,
    singleDash,
    executes: { options: files, as: handed },
    run: (call) => {
      const [codes, named] = [call.values(...code), call.values(...files)];
      for (const word of codes) handed(call, word.template);
      const [file] = call.operands;
      if (codes.length + named.length > 0 || call.has('--version', '--help')) return undefined;
      if (file) runFile(call, file);
      else runInput(call);
      return undefined;
    },
  };
}

/** And what the words behind a program say that it does. */
function described(tool: Tool): Tool {
  return {
    ...tool,
    run: (call) => {
      undescribed(call);
      return tool.run?.(call);
    },
  };
}

/** Programs that carry out a file that is a program already. */
const carries = (options = ''): Tool => described(runs(options, { singleDash: true }));

const COMPILER =
  'o= c S E g? O? I= L= l= D= U= x= W? f? m? s? std= include= isystem= edition= crate-type= C= p? r? v M? T= target= sysroot= emit= out-dir=';

export const RUNNERS: ToolTable = {
  ocaml: runs('I= init= noinit stdin e=', { code: ['--e'], singleDash: true }),
  ghci: runs('e= package= i?', { code: ['-e'] }),
  groovysh: runs('e= cp=', { code: ['-e'] }),
  clojure: runs('e,eval= i,init= M? X? T? A? P S?', { code: ['--eval'], files: ['--init'] }),
  clj: runs('e,eval= i,init= M? X? T? A? P S?', { code: ['--eval'], files: ['--init'] }),
  bb: runs('e,eval= f,file= cp= m,main= i o I O', { code: ['--eval'], files: ['--file'] }),
  racket: runs('e,eval= f,load= t,require= l,lib= r u i n', {
    code: ['--eval'],
    files: ['--load', '--require'],
  }),
  guile: runs('c= s= l= L= x= e= q', { code: ['-c'], files: ['-s', '-l'] }),
  sbcl: runs('script? eval= load= noinform non-interactive no-userinit', {
    code: ['--eval'],
    files: ['--load'],
  }),
  swipl: runs('g= f= s= t= q l=', { code: ['-g'], files: ['-f', '-s', '-l'] }),
  erl: runs('eval= noshell s= run= pa= sname= name=', { code: ['--eval'], singleDash: true }),
  octave: runs('eval= q,quiet no-gui W p,path=', { code: ['--eval'] }),
  gnuplot: runs('e= p,persist c d s', { code: ['-e'] }),
  janet: runs('e= l= m=', { code: ['-e'], files: ['-l'] }),
  m4: { options: 'D,define= U= I,include= P s E', run: expandMacros },
  dc: runs('e,expression= f,file= V h', { code: ['--expression'], files: ['--file'] }),
  ed: { options: 's p= v E r', operands: 'write', run: edit },
  red: { options: 's p= v', operands: 'write', run: edit },
  nu: { options: 'c,commands= e,execute= l,login n config= env-config=', stop: true, run: nushell },
  mono: carries(),
  wine: carries(),
  wasmtime: carries('dir= env='),
  wasmer: carries(),
  ...Object.fromEntries(
    'gcc cc clang g++ c++ clang++ tcc rustc'
      .split(' ')
      .map((name) => [name, { options: COMPILER, run: compile }]),
  ),
};

/** What it does to a file it does by orders on its input, of which most are harmless. */
function edit(call: Call): undefined {
  const { template } = scriptInput(call);
  if (hasUnknown(template)) runInput(call);
  else handed(call, template);
  for (const [, order = '', file = ''] of template.matchAll(/^[\d.,$%]*([erwEW])[ \t]+([^\s!]\S*)/gm))
    if (/w/i.test(order)) call.write(literal(file));
    else call.read(literal(file));
}

/** All of its words are texts with macros, of which one runs a command. */
function expandMacros(call: Call): undefined {
  for (const { template } of call.values('--define')) handed(call, template);
  for (const word of call.operands) runFile(call, word);
  if (call.operands.length === 0) runInput(call);
}

/** Compilers: what comes out of them is made of what went in. */
function compile(call: Call): undefined {
  for (const word of call.operands) call.read(word);
  const output = call.value('-o');
  const [first] = call.operands;
  if (output) call.write(output);
  else if (call.name === 'rustc' && first) call.write(literal(first.template.replace(/^.*\/|\.rs$/g, '')));
  else if (!call.has('-c', '-S', '-E')) call.write(literal('a.out'));
}

function nushell(call: Call): undefined {
  const lines = call.values('--commands', '--execute');
  for (const { template } of lines) call.runText(template);
  const [file] = call.operands;
  if (file) runFile(call, file);
  else if (lines.length === 0) runInput(call);
}
