import { factWord, factWords } from '../../../knowledge/facts.ts';
import type { Facts } from '../../../knowledge/program.ts';
import { isLoopback } from '../../../platform/loopback.ts';
import type { Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import type { CodeTable } from '../../tool.ts';

function isOnlyHere(address: string): boolean {
  return /^unix:/i.test(address) || isLoopback(address) || isLoopback(address.replace(/:\d+$/, ''));
}

/** Puts a folder, with all that is in it, where other machines can get it; on this machine alone it stays where it is. */
export function serves(call: Call, folder: Word | null, address: string | null): void {
  const isOpen = address === null || !isOnlyHere(address);
  call.network({ host: isOpen ? null : 'localhost', direction: 'in', sends: isOpen });
  call.read(folder ?? literal('.'));
}

/** The word behind one of these in a command line whose options are not all known. */
export function wordAfter(argv: readonly Word[], names: RegExp): Word | null {
  for (const [at, word] of argv.entries()) {
    const [name = '', value] = word.template.split(/=(.*)/s);
    if (names.test(name)) return value === undefined ? (argv[at + 1] ?? null) : literal(value);
  }
  return null;
}

/** The file says which options name the folder and the address, and the verb without which it serves nothing. */
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

/** Programs that hand out the files of a folder over the network. */
export const FILE_SERVERS: CodeTable = { 'file-server': fileServer };
