import { factWords } from '../../../knowledge/facts.ts';
import { entryFor } from '../../../knowledge/load.ts';
import type { Facts } from '../../../knowledge/program.ts';
import { type Call, literal } from '../../call.ts';
import { hasUnknown } from '../../placeholders.ts';
import type { CodeTable, TextReader } from '../../tool.ts';
import { handed, runFile, runInput } from '../../tools/runners.ts';
import { undescribed } from '../../tools/service-verbs.ts';
import { scriptInput } from '../../tools/shells.ts';

/** Interpreters of languages that are only known this far. */
function runner(call: Call, facts: Facts): undefined {
  const codes = call.values(...factWords(facts, 'code'));
  const named = call.values(...(entryFor(call.name)?.executes?.options ?? []));
  for (const word of codes) handed(call, word.template);
  const [file] = call.operands;
  if (codes.length + named.length > 0 || call.has('--version', '--help')) return;
  if (file) runFile(call, file);
  else runInput(call);
}

/** Programs that run an executable file. */
function carrier(call: Call, facts: Facts): undefined {
  undescribed(call);
  runner(call, facts);
}

/** Commands on its input change the file; most are harmless. */
function lineEditor(call: Call): undefined {
  const { template } = scriptInput(call);
  if (hasUnknown(template)) runInput(call);
  else handed(call, template);
  for (const [, order = '', file = ''] of template.matchAll(/^[\d.,$%]*([erwEW])[ \t]+([^\s!]\S*)/gm))
    if (/w/i.test(order)) call.write(literal(file));
    else call.read(literal(file));
}

/** All words may contain macros, one of which runs a command. */
function macros(call: Call): undefined {
  for (const { template } of call.values('--define')) handed(call, template);
  for (const word of call.operands) runFile(call, word);
  if (call.operands.length === 0) runInput(call);
}

/** Compilers: their output derives from their input. */
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

/** Files that they execute. */
export const RUNNER_TEXTS: Readonly<Record<string, TextReader>> = { program: handed };
