import { existsSync } from 'node:fs';
import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import { VERSION } from '../../../version.ts';
import { forwarderPath } from '../../../wire/forwarder-settings.ts';
import { apiSocketPath } from '../../../wire/socket-path.ts';
import type { Check } from '../check.ts';
import { replaceDaemon, restartRepair, startRepair } from '../repairs.ts';

/** Checks that a daemon answers, serves this home and has this version. */
export const daemon: Check = ({ paths, presence }) => {
  switch (presence.kind) {
    case 'none': {
      // Without a forwarder no rule applies, which is a finding of its own.
      const meanwhile = existsSync(forwarderPath(paths.root))
        ? ' Until then rules still apply, but each call is slower.'
        : '';
      const fix = `Run \`hookline up\`.${meanwhile}`;
      const found = warning('daemon-down', 'The daemon is not running.', fix);
      return [{ ...found, repair: startRepair(paths) }];
    }
    case 'silent': {
      const { pid } = presence;
      const message = `A process is using ${paths.root}${pid === null ? '' : ` (pid ${pid})`} and is not responding.`;
      const fix = `${pid === null ? 'Stop it' : `Run \`kill -9 ${pid}\``}, then \`hookline up\`.`;
      const repair = replaceDaemon(paths, pid);
      const why = 'Each call waits for it, then falls back to the forwarder.';
      return [{ ...problem('daemon-silent', message, fix), why, ...(repair ? { repair } : {}) }];
    }
    case 'foreign': {
      const fix = `Stop the process that listens there, remove ${apiSocketPath(paths.root)} and run \`hookline up\`.`;
      const message = `Another process is using the daemon's socket: ${presence.why}.`;
      return [problem('daemon-foreign', message, fix)];
    }
    case 'answers': {
      const { version } = presence.client.info;
      if (version === VERSION) return [ok('daemon', 'The daemon is running.')];
      const message = `The daemon is version ${version}; this is ${VERSION}.`;
      const found = problem('daemon-version', message, 'Run `hookline down`, then `hookline up`.');
      return [{ ...found, repair: restartRepair(paths) }];
    }
  }
};
