import { factWord, factWords } from '../../../knowledge/facts.ts';
import { variablesIn } from '../../../knowledge/load.ts';
import type { Facts } from '../../../knowledge/program.ts';
import { UNKNOWN } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { LANGUAGES } from '../../code/languages.ts';
import { scanCode } from '../../code/scan.ts';
import { hostOf } from '../../places/hosts.ts';
import type { Entry } from '../../reentry.ts';
import type { CodeTable, TextReader } from '../../tool.ts';
import { handed, runFile, runInput } from '../../tools/runners.ts';
import { service } from '../../tools/service-verbs.ts';
import { scriptInput } from '../../tools/shells.ts';
import { changesByModule } from '../ansible.ts';

const ELSEWHERE: Entry = { place: 'remote', cwd: null };

/** After a verb and a name, or after `--`, follows a command; other verbs belong to a service. */
function behind(call: Call, facts: Facts): string | undefined {
  const { argv } = call.command;
  const at = argv.findIndex((word) => word.template === factWord(facts, 'verb'));
  const system = factWord(facts, 'system');
  if (at < 1) return system === undefined ? undefined : service(system)(call);
  const dashes = argv.findIndex((word) => word.template === '--');
  const words = argv.slice(dashes > 0 ? dashes + 1 : at + 2);
  if (words.length === 0) return UNKNOWN;
  return call.runArgv(words, factWord(facts, 'place') === 'remote' ? ELSEWHERE : {});
}

/** ansible, pssh: runs the line on many machines. */
function everywhere(call: Call, facts: Facts): undefined {
  const options = factWords(facts, 'line');
  const given = call.value(...options) ?? (options.length > 0 ? null : (call.operands.at(-1) ?? null));
  const removed = /\bstate=absent\b/.test(given?.template ?? '')
    ? /\b(?:path|name|dest)=(\S+)/.exec(given?.template ?? '')?.[1]
    : undefined;
  if (removed !== undefined) call.runArgv(['rm', '-rf', removed].map(literal), ELSEWHERE);
  else if (given) call.runText(given.template, ELSEWHERE);
  call.network({});
  if (call.name === 'ansible') changesByModule(call, factWords(facts, 'looks'));
}

/** `salt '*' cmd.run 'line'`. */
const salt = (call: Call): undefined => {
  const [, verb, line] = call.operands;
  if (/^cmd\.|shell/.test(verb?.template ?? '') && line) call.runText(line.template, ELSEWHERE);
  call.network({});
};

const pager = (call: Call): undefined => {
  const own = call.value('--pager')?.template;
  const set = call.command.assignments.find(({ name }) => variablesIn('pager-variables').includes(name));
  const line = own ?? (set ? (set.value ?? UNKNOWN) : undefined);
  if (line !== undefined) call.runText(line);
};

function expect(call: Call): undefined {
  const [file] = call.operands;
  const isGiven = call.has('-f', '-b');
  if (file && !isGiven) runFile(call, file, expectFile);
  else if (!isGiven && !call.has('-c')) runInput(call);
  for (const { template } of [...call.values('-c'), call.command.stdin]) expectScript(call, template);
}

function expectFile(call: Call, text: string): void {
  handed(call, text);
  expectScript(call, text);
}

function expectScript(call: Call, text: string): void {
  for (const [, line = ''] of text.matchAll(/\b(?:spawn|exec|system)\s+([^;\n}\]]+)/g)) call.runText(line);
}

/** `sops exec-env FILE 'line'`. */
const inEnvironment = (call: Call): undefined => {
  const [verb, , line] = call.operands;
  if (/^exec-(?:env|file)$/.test(verb?.template ?? '') && line) call.runText(line.template);
};

/** `less +'!line' file`. */
function less(call: Call): undefined {
  for (const word of call.operands) {
    const line = /^\+\+?!(.*)$/s.exec(word.template)?.[1];
    if (line !== undefined) call.runText(line);
    else if (!word.template.startsWith('+')) call.read(word);
  }
}

/** `elvish -c 'line'`: the option takes no value, it declares the first operand as code. */
const elvish = (call: Call): undefined => {
  const [line] = call.operands;
  if (call.has('-c') && line) call.runText(line.template);
  else if (line) runFile(call, line);
  else runInput(call);
};

/** Opens a file or an address with the default program. */
function opens(call: Call): undefined {
  for (const word of [...call.operands, ...call.values('-u')]) {
    if (/^https?:/i.test(word.template)) call.network({ host: hostOf(word.text), url: word.text });
    else call.read(word);
  }
}

/** Each value of some options is a shell line. */
function runValues(call: Call, facts: Facts): undefined {
  for (const { template } of call.values(...factWords(facts, 'lines'))) call.runText(template);
}

/** The preview of a choice, and key bindings: `enter:execute(line)`. */
function fuzzy(call: Call): undefined {
  for (const { template } of call.values('--preview')) call.runText(template);
  for (const { template } of call.values('--bind'))
    for (const [, line = ''] of template.matchAll(
      /\b(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform\w*|preview)[(:[{~!@#%^&*;/|]([^)\]}]*)/g,
    ))
      call.runText(line);
}

/** TeX in a word rather than in a file: `\\write18{line}`, `\\input{|line}`. */
function typeset(call: Call): undefined {
  for (const word of call.operands) {
    if (!word.template.startsWith('\\')) call.read(word);
    for (const [, ...found] of word.template.matchAll(
      /\\write18\s*\{([^}]*)|\\input\s*\{?"?\|\s*([^}"]*)|psfile="?`([^"}]*)/g,
    ))
      call.runText(found.find((line) => line !== undefined) ?? '');
  }
}

/** Lines that begin with `!` are Perl. */
function perlLines(call: Call): undefined {
  const { template } = scriptInput(call);
  for (const [, code = ''] of template.matchAll(/^\s*!(.*)$/gm)) scanCode(call, code, LANGUAGES.perl);
}

/** `exec { 'line': }` and `file { 'path': }` in a manifest. */
function puppet(call: Call): undefined {
  for (const { template } of call.values('--execute'))
    for (const [, kind, , text = ''] of template.matchAll(/\b(exec|file)\s*\{\s*(['"])(.*?)\2\s*:/gs))
      if (kind === 'exec') call.runText(text);
      else call.write(literal(text));
  const [file] = call.operands;
  if (file && call.command.sub[0] === 'apply') runFile(call, file);
}

function startDaemon(call: Call): undefined {
  const program = call.value('--exec', '--startas');
  if (program && call.has('--start')) call.runArgv([program, ...call.operands]);
}

/** Programs that start another one from an option or after a keyword. */
export const LAUNCHERS: CodeTable = {
  behind,
  cpan: (call) => void (call.operands.length === 0 && perlLines(call)),
  elvish,
  everywhere,
  expect,
  fuzzy,
  'in-environment': inEnvironment,
  less,
  opens,
  pager,
  puppet,
  'run-values': runValues,
  salt,
  'start-daemon': startDaemon,
  typeset,
};

/** Files that they execute. */
export const LAUNCHER_TEXTS: Readonly<Record<string, TextReader>> = { 'expect-file': expectFile };
