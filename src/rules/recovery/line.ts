import { once, rememberPer } from '../../platform/bounded.ts';
import type { Effect, SimpleCommand } from '../../shell/analysis.ts';
import { goesBack } from '../../shell/places/paths.ts';
import { isDoneInOrder } from '../../shell/shape.ts';
import { isWithin } from '../calm/public.ts';
import type { Facts, Found } from '../facts.ts';

/**
 * True if a command will find what is on disk now at the path in its words: no other command of the line moves, links
 * or restores files, and none runs code from outside the project.
 */
export function isSettledLine(found: Found, facts: Facts): boolean {
  const analysis = facts.analysis();
  if (analysis === null || found.command === null) return analysis === null;
  const command = analysis.commands[found.command];
  if (command === undefined || command.place !== 'local' || command.guessed) return false;
  return command.via.every((name) => STAYS.has(name)) && isSettled(facts)();
}

/** Programs that run another one in the same directory and among the same files. */
const STAYS: ReadonlySet<string> = new Set([
  ...[
    'find',
    'fd',
    'xargs',
    'sh',
    'bash',
    'zsh',
    'dash',
    'env',
    'command',
    'builtin',
    'exec',
    'eval',
    'sudo',
    'doas',
  ],
  ...['time', 'timeout', 'nice', 'ionice', 'nohup', 'stdbuf', 'setsid', 'npx', 'bunx'],
]);

/** A login starts in a home directory, `/link/..` may be elsewhere, and following links leaves the project. */
function goesElsewhere({ tool, argv, options }: SimpleCommand): boolean {
  const has = (...names: string[]) => argv.some(({ text }) => text !== null && names.includes(text));
  if (argv.some(goesBack)) return true;
  if (tool === 'find') return has('-L', '-follow');
  if (tool === 'fd') return has('-L', '--follow');
  if (tool === 'cd' || tool === 'pushd') return has('-P');
  return tool === 'sudo' && options.some(({ name }) => name === '--login' || name === '--chroot');
}

/** These rename a file or replace a directory's content without an effect that says so. */
const REPLACES: ReadonlySet<string> = new Set([
  ...['gzip', 'gunzip', 'bzip2', 'bunzip2', 'xz', 'unxz', 'lzma', 'zstd', 'lz4', 'lzip', 'pigz', 'compress'],
  ...['rename', 'prename', 'mmv', 'zmv', 'vidir'],
  ...[
    'sshfs',
    'bindfs',
    'rclone',
    'gcsfuse',
    's3fs',
    'hdiutil',
    'guestmount',
    'squashfuse',
    'fuse-zip',
    'archivemount',
  ],
  ...[
    'mount',
    'mount.cifs',
    'mount.nfs',
    'mount_smbfs',
    'mount_nfs',
    'udisksctl',
    'diskutil',
    'encfs',
    'gocryptfs',
  ],
]);

const isSettled = rememberPer((facts: Facts) =>
  once((): boolean => {
    const analysis = facts.analysis();
    return (
      analysis !== null &&
      analysis.coverage === 'complete' &&
      analysis.effects.every((effect) => leavesInPlace(effect, facts)) &&
      !movesFiles(analysis.effects) &&
      !analysis.commands.some(goesElsewhere) &&
      knowsFolders(facts)
    );
  }),
);

/** What one command takes away here and writes there may be the same file, as with `rsync --remove-source-files`. */
function movesFiles(effects: readonly Effect[]): boolean {
  const writing = new Set(effects.filter(({ kind }) => kind === 'write').map(({ command }) => command));
  return effects.some(({ kind, command }) => kind === 'delete' && writing.has(command));
}

function leavesInPlace(effect: Effect, facts: Facts): boolean {
  switch (effect.kind) {
    case 'delete':
      return !effect.moved;
    case 'vcs':
      // What was put away may come back, and `mv` takes work to another name.
      // A setting can send git to another tree.
      return !/^(?:stash(?: (?!list|show)|$)|mv\b|config\b)/.test(effect.action);
    case 'system':
      return effect.action !== 'link';
    case 'env':
      return effect.op === 'read' || !effect.name.startsWith('GIT_');
    case 'run':
      return effect.program !== null && !REPLACES.has(effect.program);
    case 'execute':
      // Project code creates generated files; the files deleted with it contain no manual work.
      return effect.from === 'file' && effect.path !== null && isInProject(effect.path, facts);
    default:
      return true;
  }
}

function isInProject(path: string, facts: Facts): boolean {
  const { project } = facts.scope();
  return project !== null && facts.real(path).startsWith(`${facts.real(project)}/`);
}

/** True if each command runs where it seems to: after a failed `cd` the rest of the line runs elsewhere. */
function knowsFolders(facts: Facts): boolean {
  const { cwd, tool, world } = facts;
  const folders = new Set(facts.analysis()?.commands.map((command) => command.cwd));
  if (cwd === null || folders.has(null)) return false;
  folders.delete(cwd);
  if (folders.size === 0) return true;
  if (![...folders].every((folder) => folder !== null && isStraight(folder, cwd, facts))) return false;
  const line = tool?.command;
  if (line == null || !isDoneInOrder(line)) return false;
  return (
    !/[;\n]/.test(line) || [...folders].every((folder) => folder !== null && world.exists?.(folder) === true)
  );
}

/** After a link, `..` is not the directory that the path came from. */
function isStraight(folder: string, cwd: string, { real }: Facts): boolean {
  const known = isWithin(folder, cwd) ? cwd : folder;
  return real(folder) === (known === folder ? folder : real(known) + folder.slice(known.length));
}
