import { factWord, factWords } from '../../../knowledge/facts.ts';
import type { Facts } from '../../../knowledge/program.ts';
import { isLoopback } from '../../../platform/loopback.ts';
import type { Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import type { CodeTable } from '../../tool.ts';

function isOnlyHere(address: string): boolean {
  return /^unix:/i.test(address) || isLoopback(address) || isLoopback(address.replace(/:\d+$/, ''));
}

/** Makes a directory available to other machines. A local address keeps it on this machine. */
export function serves(call: Call, folder: Word | null, address: string | null): void {
  const isOpen = address === null || !isOnlyHere(address);
  call.network({ host: isOpen ? null : 'localhost', direction: 'in', sends: isOpen });
  call.read(folder ?? literal('.'));
}

/** The word after one of these names, in a command whose options are not all known. */
export function wordAfter(argv: readonly Word[], names: RegExp): Word | null {
  for (const [at, word] of argv.entries()) {
    const [name = '', value] = word.template.split(/=(.*)/s);
    if (names.test(name)) return value === undefined ? (argv[at + 1] ?? null) : literal(value);
  }
  return null;
}

/** The knowledge file names the options for the directory and the address, and the verb that serves. */
function fileServer(call: Call, facts: Facts): undefined {
  const [folder, address, verb] = [
    factWords(facts, 'folder'),
    factWords(facts, 'address'),
    factWord(facts, 'verb'),
  ];
  if (verb !== undefined && call.command.sub[0] !== verb) return;
  const place = call.value(...folder) ?? (folder.length > 0 && verb !== undefined ? null : call.operands[0]);
  const where = call.value(...address)?.text ?? null;
  serves(call, place ?? null, where === null ? null : where.replace(/^tcp:\/\//, ''));
}

/** Programs that serve files of a directory over the network. */
export const FILE_SERVERS: CodeTable = { 'file-server': fileServer };
