import { factWords } from '../../../knowledge/facts.ts';
import { entryFor } from '../../../knowledge/load.ts';
import type { Facts } from '../../../knowledge/program.ts';
import { type Call, literal } from '../../call.ts';
import { hasUnknown } from '../../placeholders.ts';
import type { CodeTable, TextReader } from '../../tool.ts';
import { handed, runFile, runInput } from '../../tools/runners.ts';
import { undescribed } from '../../tools/service-verbs.ts';
import { scriptInput } from '../../tools/shells.ts';

/** Programs that read a program in a language of which only this much is known. */
function runner(call: Call, facts: Facts): undefined {
  const codes = call.values(...factWords(facts, 'code'));
  const named = call.values(...(entryFor(call.name)?.executes?.options ?? []));
  for (const word of codes) handed(call, word.template);
  const [file] = call.operands;
  if (codes.length + named.length > 0 || call.has('--version', '--help')) return;
  if (file) runFile(call, file);
  else runInput(call);
}

/** Programs that carry out a file that is a program already. */
function carrier(call: Call, facts: Facts): undefined {
  undescribed(call);
  runner(call, facts);
}

/** What it does to a file it does by orders on its input, of which most are harmless. */
function lineEditor(call: Call): undefined {
  const { template } = scriptInput(call);
  if (hasUnknown(template)) runInput(call);
  else handed(call, template);
  for (const [, order = '', file = ''] of template.matchAll(/^[\d.,$%]*([erwEW])[ \t]+([^\s!]\S*)/gm))
    if (/w/i.test(order)) call.write(literal(file));
    else call.read(literal(file));
}

/** All of its words are texts with macros, of which one runs a command. */
function macros(call: Call): undefined {
  for (const { template } of call.values('--define')) handed(call, template);
  for (const word of call.operands) runFile(call, word);
  if (call.operands.length === 0) runInput(call);
}

/** Compilers: what comes out of them is made of what went in. */
function compiler(call: Call): undefined {
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

export const RUNNERS: CodeTable = { carrier, compiler, 'line-editor': lineEditor, macros, nushell, runner };

/** What they read a file as that they execute. */
export const RUNNER_TEXTS: Readonly<Record<string, TextReader>> = { program: handed };
