import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { chromiumProgram } from './browser/program.ts';
import { canMount, hasBash, hasCargo, hasNamespaces, hasScript, hasTmux, hasVim } from './programs.ts';
import { postgresFolder } from './support/fleet/postgres-programs.ts';
import { serverProgram } from './support/fleet/server.ts';
import { builtNative } from './support/forwarder.ts';

/** A program beside Node that tests of a tier are skipped without. */
interface Need {
  readonly program: string;
  readonly isMissing: boolean;
  readonly tests: string;
  readonly remedy: string;
}

const tmux: Need = {
  program: 'tmux',
  isMissing: !hasTmux,
  tests: 'tests in a real terminal',
  remedy: 'Install it (`apt-get install tmux`).',
};

const chromium: Need = {
  program: 'Chromium',
  isMissing: chromiumProgram === null,
  tests: 'tests of the dashboard in a browser',
  remedy: 'Install it (`apt-get install chromium`), or name it in HOOKLINE_CHROMIUM.',
};

const NEEDS: Readonly<Record<string, readonly Need[]>> = {
  product: [
    tmux,
    {
      program: 'the native forwarder',
      isMissing: !existsSync(builtNative),
      tests: 'tests of the native forwarder',
      remedy: 'Install Rust (https://rustup.rs) and run `npm run build`.',
    },
    {
      program: 'cargo',
      isMissing: !hasCargo,
      tests: 'the unit tests of the native forwarder',
      remedy: 'Install Rust (https://rustup.rs).',
    },
    {
      program: 'script',
      isMissing: !hasScript,
      tests: 'attacks from a terminal that a program makes',
      remedy: 'Install it (`apt-get install bsdutils`).',
    },
    {
      program: 'vim with terminals',
      isMissing: !hasVim,
      tests: 'attacks from a terminal that an editor makes',
      remedy: 'Install it (`apt-get install vim`).',
    },
    {
      program: 'a file system to mount',
      isMissing: !canMount,
      tests: 'tests of a full disk',
      remedy: 'Run them as root on Linux.',
    },
    {
      program: 'unshare with the right to make namespaces',
      isMissing: !hasNamespaces,
      tests: 'attacks from another pid namespace',
      remedy: 'Run them on Linux with util-linux and user namespaces.',
    },
  ],
  clients: [tmux, chromium],
  deep: [
    {
      program: 'bash',
      isMissing: !hasBash,
      tests: 'comparisons of the shell analysis with a real shell',
      remedy: 'Install it.',
    },
  ],
  services: [
    tmux,
    chromium,
    {
      program: 'nats-server',
      isMissing: serverProgram === undefined,
      tests: 'tests of the fleet',
      remedy: 'Install it (`apt-get install nats-server`), or name it in HOOKLINE_NATS_SERVER.',
    },
    {
      program: 'PostgreSQL',
      isMissing: postgresFolder === null,
      tests: 'tests of the fleet archive',
      remedy:
        'Install it (`apt-get install postgresql`), or name the folder of its programs in HOOKLINE_POSTGRES.',
    },
  ],
};

/** Skipped tests are announced, one line per program; in CI they fail the tier. */
export default function setup({ name }: TestProject): void {
  const missing = (NEEDS[name] ?? []).filter(({ isMissing }) => isMissing);
  const lines = missing.map(
    ({ program, tests, remedy }) => `${program} is missing: ${tests} do not run. ${remedy}`,
  );
  if (lines.length === 0) return;
  if (process.env.CI) throw new Error(lines.join('\n'));
  for (const line of lines) console.warn(`\n*** SKIPPED, ${line} ***\n`);
}
