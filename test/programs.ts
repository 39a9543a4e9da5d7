import { spawnSync } from 'node:child_process';

const answers = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;

/** What a tier needs beside Node; without it some of its tests are skipped, and test/needs.ts says so. */
export const hasBash: boolean = answers('bash', '--version');
export const hasCargo: boolean = answers('cargo', '--version');
export const hasTmux: boolean = answers('tmux', '-V');
/** Makes a terminal for a program. */
export const hasScript: boolean = process.platform === 'linux' && answers('script', '--version');
export const hasVim: boolean =
  spawnSync('vim', ['--version'], { encoding: 'utf8' }).stdout?.includes('+terminal') ?? false;
/** Mounts that only what runs in them sees, and that end with it. */
export const canMount: boolean = answers(
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=64k tmpfs /mnt',
);

/** The options of `unshare` for what a container does: processes of the outside have no number in it, and it ends with its maker. */
export const CONTAINER: readonly string[] = [
  '--user',
  '--map-current-user',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];
export const hasNamespaces: boolean =
  process.platform === 'linux' && answers('unshare', ...CONTAINER, 'true');
