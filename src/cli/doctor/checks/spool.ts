import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import { takeInSpool } from '../../../client/history.ts';
import { counted } from '../../../model/text.ts';
import type { Check, Diagnosis } from '../check.ts';

/** A daemon records a spooled file as soon as it appears. */
const TAKEN_WITHIN_MS = 10_000;

/** Checks that calls made without the daemon are in the history. */
export const spool: Check = ({ paths, presence }) => {
  const names = listed(paths.spool);
  const isDaemon = presence.kind === 'answers';
  const waiting = names.filter((name) => name.endsWith('.json') && isOld(join(paths.spool, name), isDaemon));
  const bad = names.filter((name) => name.endsWith('.bad'));
  const repair = {
    id: 'spool',
    done: 'Added the spooled calls to the history.',
    run: async () => void (await takeInSpool(paths)),
  };
  const findings: Diagnosis[] = [];
  if (waiting.length > 0) {
    const message = `${counted(waiting.length, 'call')} in ${paths.spool} ${waiting.length === 1 ? 'is' : 'are'} not in the history.`;
    findings.push(
      isDaemon
        ? {
            ...problem('spool-stuck', message, `See ${join(paths.log, 'daemon.log')} for the reason.`),
            repair,
          }
        : { ...warning('spool', message, 'Run `hookline up` to add them.'), repair },
    );
  }
  if (bad.length > 0) {
    const message = `${counted(bad.length, 'call')} could not be read and ${bad.length === 1 ? 'was' : 'were'} moved aside in ${paths.spool}.`;
    findings.push(warning('spool-bad', message, `Check them, then delete ${paths.spool}/*.bad.`));
  }
  return findings.length > 0 ? findings : [ok('spool', 'All calls are in the history.')];
};

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

/** Without a daemon, the spool isn't recorded. */
function isOld(path: string, isDaemon: boolean): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return !isDaemon || age > TAKEN_WITHIN_MS;
}
