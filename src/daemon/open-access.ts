import type { OpenHome } from '../home/open.ts';
import { openAccess } from '../home/open-access.ts';
import { messageOf } from '../model/errors.ts';
import type { Access } from '../model/people/access.ts';
import type { CallHandler } from './call-handler.ts';

/** Who may decide at this daemon. Denied attempts and uses of keys are events that every observer sees. */
export function openDaemonAccess({ paths, log }: OpenHome, hub: Pick<CallHandler, 'note'>): Access {
  return openAccess(paths, (entry, action) => {
    try {
      hub.note(entry);
    } catch (error) {
      // The attempt stays denied even if it can't be recorded.
      log('error', `who wanted to ${action} was not recorded: ${messageOf(error)}`);
    }
  });
}
