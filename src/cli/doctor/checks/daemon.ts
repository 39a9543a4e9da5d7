import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import { VERSION } from '../../../version.ts';
import { apiSocketPath } from '../../../wire/socket-path.ts';
import type { Check } from '../check.ts';
import { replaceDaemon, restartDaemon, startDaemon } from '../repairs.ts';

/** A daemon answers, it is the one of this home, and it is of this version. */
export const daemon: Check = ({ paths, presence }) => {
  switch (presence.kind) {
    case 'none': {
      const fix = '`hookline up` starts it. Rules apply without it, but each hook call is slower.';
      const found = warning('daemon-down', 'The daemon is not running.', fix);
      return [{ ...found, repair: startDaemon(paths) }];
    }
    case 'silent': {
      const { pid } = presence;
      const message = `A process has ${paths.root}${pid === null ? '' : ` (pid ${pid})`} and does not answer.`;
      const fix = `${pid === null ? 'Stop it' : `Run \`kill -9 ${pid}\``}, then \`hookline up\`.`;
      const repair = replaceDaemon(paths, pid);
      const why = 'Each hook call waits for it for seconds, and then judges by itself.';
      return [{ ...problem('daemon-silent', message, fix), why, ...(repair ? { repair } : {}) }];
    }
    case 'foreign': {
      const fix = `Stop what listens there and remove ${apiSocketPath(paths.root)}, then run \`hookline up\`.`;
      const message = `There is something else where the daemon should be: ${presence.why}.`;
      return [problem('daemon-foreign', message, fix)];
    }
    case 'answers': {
      const { version } = presence.client.info;
      if (version === VERSION) return [ok('daemon', 'The daemon answers.')];
      const message = `The daemon is version ${version}, this is ${VERSION}.`;
      const found = problem('daemon-version', message, '`hookline down`, then `hookline up`.');
      return [{ ...found, repair: restartDaemon(paths) }];
    }
  }
};
