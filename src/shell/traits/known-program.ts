import { entryFor } from '../../knowledge/load.ts';
import type { Covered } from '../../knowledge/traits.ts';
import type { SimpleCommand } from '../analysis.ts';
import { describedAs } from '../program-names.ts';
import { isLooker } from './observers.ts';

/** The code of programs that read lines: a line that is known is looked at by itself. */
const READS_LINES = /^(?:shell|source)$/;

/**
 * True if the effects of a command are complete. A script, a build or an unknown program may do anything else.
 */
export function isKnownProgram(command: SimpleCommand): boolean {
  const { tool, inert, stdin } = command;
  if (inert) return true;
  if (tool === null || isScript(command)) return false;
  const { covered, run = '' } = entryFor(tool) ?? {};
  if (covered === true || isLooker(tool)) return true;
  if (READS_LINES.test(run))
    return command.options.some(({ name }) => name === '-c' || name === '--command') || stdin.text !== null;
  return covered !== undefined && isCovered(covered, command);
}

function isCovered(covered: Exclude<Covered, true>, command: SimpleCommand): boolean {
  const { sub } = command;
  if (covered === 'only-adds') return onlyAdds(command);
  if (covered === 'named-packages') return onlyNamesPackages(command);
  if (covered === 'packages')
    return PACKAGES.test(sub[0] ?? '') && !takesSettings(command) && !fromFile(command);
  return covered.on.includes(sub[(covered.word ?? 1) - 1] ?? '');
}

const PACKAGES =
  /^(?:install|add|update|upgrade|refresh|list|search|show|info|clean|autoclean|check-update|makecache|policy|depends|outdated)$/;

const NAME = /^(?:@[\w.-]+\/)?\w[\w.+-]*(?:\[[\w,.-]*\])?(?:[@=<>~!^]+[\w.*^~+-]*)?$/;
/** What may be a file in the folder rather than a name. */
const FILE = /\.[a-z]\w{0,6}$/i;

/** Names for a registry, and no option that names a file, a folder or an address. */
function onlyNamesPackages({ sub, operands, options }: SimpleCommand): boolean {
  if (!/^(?:install|add)$/.test(sub[0] ?? '') || operands.length === 0) return false;
  const named = operands.filter((_, at) => at > 0 || operands[0]?.text !== sub[0]);
  if (!named.every(({ text }) => text !== null && NAME.test(text) && !FILE.test(text))) return false;
  return options.every(({ declared, value }) => declared && value === null);
}

/** Its verbs are options: `pacman -Syu`, `pacman -Q`. */
function onlyAdds(command: SimpleCommand): boolean {
  const { options } = command;
  const has = (name: string) => options.some((option) => option.name === name);
  if (!(has('-S') || has('-Q')) || has('-R') || has('-U') || has('-D')) return false;
  return options.every(({ declared }) => declared) && !fromFile(command);
}

/** Where the programs of a system are. */
const SYSTEM = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[^/]+$/;

/** A file of its own that merely has the name of a program, as `./install.sh` and `./cp` have. */
function isScript({ argv, name }: SimpleCommand): boolean {
  const word = argv[0]?.text ?? '';
  return (word.includes('/') && !SYSTEM.test(word)) || /\.(?:sh|bat|cmd|ps1)$/i.test(name ?? '');
}

/** `apt-get update -o APT::Update::Pre-Invoke::=…` runs a program. */
function takesSettings({ options }: SimpleCommand): boolean {
  return options.some(({ name }) => /^(?:-o|-c|--option|--config(?:-file)?|--setopt)$/.test(name));
}

function fromFile({ operands }: SimpleCommand): boolean {
  return operands.some(({ template }) => template.includes('/'));
}

/** Whether a command runs with the rights of another user. */
export function isElevated({ via }: SimpleCommand): boolean {
  return via.some((name) => describedAs(name)?.wraps?.privilege !== undefined);
}
