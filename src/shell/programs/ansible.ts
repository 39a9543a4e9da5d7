import { isLoopback } from '../../platform/loopback.ts';
import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import type { CodeTable } from '../tool.ts';
import { announce, scriptFile } from '../tools/shells.ts';

/** Modules that only report. */
const FACTS =
  /(?:^|\.)(?:ping|win_ping|setup|gather_facts|debug|stat|getent|package_facts|service_facts|slurp|assert|\w+_info)$/;
const LINES = /(?:^|\.)(?:command|shell|raw|script)$/;

function isHere(call: Call): boolean {
  const inventory = call.value('--inventory')?.template ?? '';
  return call.value('--connection')?.text === 'local' || isLoopback(inventory.replace(/,$/, ''));
}

/** A module that changes machines: `ansible all -m service -a 'name=x state=restarted'`. */
export function changesByModule(call: Call, looks: readonly string[]): void {
  const module = call.value('--module-name')?.template ?? 'command';
  if (LINES.test(module) || FACTS.test(module) || isHere(call) || call.has(...looks)) return;
  if (call.operands[0]?.text !== 'localhost') call.resource('remote', 'change', false, module);
}

const TASK =
  /(?:^|[\s,{[-])(?:ansible\.builtin\.)?(?:shell|command|raw|cmd)\s*:\s*["']?([^\n\]}"'|>][^\n\]}"']*)/g;

function playbook(call: Call): undefined {
  for (const book of call.operands) runTasks(call, book);
  if (!isHere(call) && !call.command.inert && call.operands.length > 0)
    call.resource('remote', 'change', false, call.operands[0]?.text ?? null);
}

/** Runs the command lines in a playbook that the line or the session wrote. */
function runTasks(call: Call, book: Word): void {
  call.read(book);
  const source = scriptFile(call, book);
  if (call.command.inert || !announce(call, source)) return;
  for (const [, line = ''] of source.template.matchAll(TASK)) call.runText(line, { guessed: true });
}

/** Playbooks run their commands on every machine of a list. */
export const ANSIBLE: CodeTable = { playbook };
