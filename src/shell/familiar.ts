import { entryFor } from '../knowledge/load.ts';
import { entryOf } from '../model/lookup.ts';
import type { SimpleCommand } from './analysis.ts';
import { LOOKERS } from './observers.ts';
import { findTool } from './tools/registry.ts';

/** Programs of which all that matters is an effect with rules of its own. */
const JUDGED = 'kill pkill killall psql createdb ssh mount umount crontab';

/** Wrappers that only run what they are given; that is looked at by itself. */
const CARRIERS =
  'env printenv time nice ionice timeout nohup stdbuf unbuffer setsid command builtin exec watch sudo doas pkexec run0 su runuser';

/** What it writes, and where, stands in its input. */
const OPEN: ReadonlySet<string> = new Set(['cpio']);

const NAMES: ReadonlySet<string> = new Set([...LOOKERS, ...`${JUDGED} ${CARRIERS}`.split(' ')]);

const PACKAGES =
  /^(?:install|add|update|upgrade|refresh|list|search|show|info|clean|autoclean|check-update|makecache|policy|depends|outdated)$/;
const SERVICES =
  /^(?:status|start|restart|reload|try-restart|daemon-reload|show|cat|is-[a-z]+|list-[a-z-]+)$/;
/** What they may reach of the machine has rules of its own, and with their group nobody needs other rights. */
const CONTAINERS = /^/;

/** Verbs of other programs of which everything worth asking about is an effect, or has rules of its own. */
const VERBS: Readonly<Record<string, RegExp>> = {
  git: /^(?:status|log|diff|show|branch|rev-parse|ls-files|remote|describe|blame|shortlog)$/,
  systemctl: SERVICES,
  service: SERVICES,
  ufw: /^(?:status|version)$/,
  ...each(PACKAGES, 'apt apt-get dnf yum zypper apk brew port snap flatpak'),
  ...each(CONTAINERS, 'docker docker-compose podman nerdctl'),
};

function each(verbs: RegExp, programs: string): Record<string, RegExp> {
  return Object.fromEntries(programs.split(' ').map((program) => [program, verbs]));
}

/** The code of programs that read lines: a line that is known is looked at by itself. */
const READS_LINES = /^(?:shell|source)$/;

/**
 * Whether all that a command does is among its effects, so that whoever looks at those has seen everything. A script,
 * a build, or a program that nobody has heard of may do whatever it likes.
 */
export function isFamiliar(command: SimpleCommand): boolean {
  const { tool, sub, inert, stdin } = command;
  if (inert) return true;
  if (tool === null || OPEN.has(tool) || isScript(command)) return false;
  if (NAMES.has(tool) || entryFor(tool)?.covered) return true;
  if (READS_LINES.test(entryFor(tool)?.run ?? ''))
    return command.options.some(({ name }) => name === '-c' || name === '--command') || stdin.text !== null;
  if (tool === 'pacman') return onlyAdds(command);
  const verbs = entryOf(VERBS, tool);
  if (verbs === PACKAGES && (takesSettings(command) || fromFile(command))) return false;
  return verbs?.test(sub[tool === 'service' ? 1 : 0] ?? '') ?? false;
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
  return via.some((name) => findTool(name)?.wraps?.privilege !== undefined);
}
