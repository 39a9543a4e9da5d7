import { type Call, literal } from '../../call.ts';
import type { CodeTable } from '../../tool.ts';
import { bubblewrap } from '../../wrappers/bubblewrap.ts';
import { runLine } from '../../wrappers/unwrap.ts';

function capsh(call: Call): undefined {
  call.runArgv([literal('bash'), ...call.operands]);
}

/** The machine type may be omitted: `setarch -R cmd`. */
function setarch(call: Call): string {
  const isNamed =
    /^(?:linux(?:32|64)|i\d86|x86_64|arm\w*|aarch64\w*|ppc\w*|s390x?|mips\w*|riscv\w*|uname26)$/;
  const [first, ...rest] = call.operands;
  return call.runArgv(first?.text === null || isNamed.test(first?.template ?? '') ? rest : call.operands);
}

/** With `-s` its words are a shell line. */
function entr(call: Call): string {
  return call.has('-s') ? runLine(call, call.operands, {}) : call.runArgv(call.operands);
}

/** Records the output of a shell, or on BSD, of the command after the file. */
function recordSession(call: Call): string | undefined {
  const { argv } = call.command;
  const [file] = call.operands;
  const words = file ? argv.slice(argv.indexOf(file) + 1) : [];
  if (file) call.write(file, { append: call.has('--append') });
  const line = call.value('--command');
  if (line) return call.runText(line.template);
  return words.length === 0 || words[0]?.template.startsWith('-') ? undefined : call.runArgv(words);
}

/** Each operand is a separate command line. */
function runEach(call: Call): undefined {
  for (const word of [...call.operands, ...call.values('--prepare', '--cleanup', '--setup')]) {
    call.runText(word.template);
  }
  return undefined;
}

/** Like the above, and `npm:build` is a script of the project. */
function runScripts(call: Call): undefined {
  for (const word of call.operands) {
    const [, program, script, rest = ''] = SCRIPT.exec(word.text ?? '') ?? [];
    if (program === undefined || script === undefined) call.runText(word.template);
    else call.runArgv([program, 'run', script, ...rest.split(/\s+/).filter(Boolean)].map(literal));
  }
  return undefined;
}

const SCRIPT = /^(npm|yarn|pnpm|bun):([^\s;&|`$<>"']+)(\s[^;&|`$<>\n"']*)?$/;

/** `hookline record AGENT -- COMMAND`, also by full path. */
function runRecorded(call: Call): string | undefined {
  const words = call.operands[0]?.text === 'hooks' ? call.operands.slice(1) : call.operands;
  const [command, , ...recorded] = words;
  return command?.text === 'record' && recorded.length > 0 ? call.runArgv(recorded) : undefined;
}

/** Programs that run another program, too complex for data alone. */
export const WRAPPERS: CodeTable = {
  bubblewrap,
  capsh,
  entr,
  'record-session': recordSession,
  'run-each': runEach,
  'run-recorded': runRecorded,
  'run-scripts': runScripts,
  setarch,
};
