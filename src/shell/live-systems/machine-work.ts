import { entryFor } from '../../knowledge/load.ts';
import { saysSo } from '../../knowledge/wildcard.ts';
import type { Effect, SimpleCommand } from '../analysis.ts';

const LOOKING =
  /^(?:ps|images|logs?|inspect|stats|top|version|info|events|port|diff|search|history|ls|list|config|df|ping|show|help|wait|attach|exec)$/;
const PACKAGE = /^(?:install|uninstall|upgrade|dist-upgrade|full-upgrade|autoremove|ci|sync)$/;
const NAMED = /(?:^|[_.-])(?:deploy|migrate|restart|release|rollback|upgrade)(?:[_.-]|$)/i;

/** True if a container command does more than read. */
export function changesContainers({ sub }: SimpleCommand): boolean {
  const verb = sub.at(-1) ?? '';
  if (sub[0] === 'context' || verb === 'compose') return false;
  return sub.length > 0 && !LOOKING.test(verb);
}

/** What a command changes on its machine beyond files; null if nothing, or if it only reads. */
export function machineWork(command: SimpleCommand, own: readonly Effect[]): string | null {
  const { tool, name, sub, operands } = command;
  if (tool === null) return null;
  const words = [...sub, ...operands.map(({ template }) => template)].join(' ');
  const { machine, place } = entryFor(tool) ?? {};
  if (machine && saysSo(words, machine)) return tool;
  if (place?.is === 'engine') return changesContainers(command) ? tool : null;
  if (tool === 'nginx' && command.options.some(({ name: option }) => option === '-s')) return tool;
  if (own.some((effect) => effect.kind === 'system' && effect.action === 'kill')) return tool;
  if (own.some((effect) => effect.kind === 'package' && PACKAGE.test(effect.action))) return 'packages';
  if (own.some((effect) => effect.kind === 'write' && /^(?:sed|perl)$/.test(tool))) return tool;
  const goals = tool === 'make' || tool === 'just' ? words.split(' ') : [];
  return [name ?? '', ...goals].some((one) => NAMED.test(one)) ? (name ?? tool) : null;
}
