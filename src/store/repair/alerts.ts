import { basename } from 'node:path';
import { counted } from '../../model/text.ts';

/** Something that happened to the files of the store, and the fix. */
export interface StoreAlert {
  readonly code: 'history-replaced' | 'history-damaged' | 'history-missing' | 'history-changed';
  readonly level: 'problem' | 'notice';
  readonly message: string;
  readonly fix: string | null;
}

export const RECOVER = 'Run `hookline history recover`: it takes over what can still be read.';

interface Replaced {
  readonly why: string;
  readonly aside: string | null;
  readonly complete: boolean;
  /** Number of records written again from memory. */
  readonly rewritten: number;
  readonly of: number;
}

/** The database was lost under a running daemon. */
export function replacedTrouble({ why, aside, complete, rewritten, of }: Replaced): StoreAlert {
  const where = aside === null ? '' : ` What was there is now ${basename(aside)}.`;
  if (complete) {
    const message = `The database of the history ${why}. All of it was written again.${where}`;
    return { code: 'history-replaced', level: 'notice', message, fix: null };
  }
  const message = `The database of the history ${why}. A new one was started, with the newest ${rewritten} of ${counted(of, 'record')}.${where}`;
  return { code: 'history-damaged', level: 'problem', message, fix: rewritten >= of ? null : RECOVER };
}

/** Another program wrote to it, but all records are intact. */
export function changedTrouble(path: string): StoreAlert {
  const message = `Another program wrote to ${basename(path)} or its log. Every record is as it was.`;
  return {
    code: 'history-changed',
    level: 'problem',
    message,
    fix: 'Find out which program that is: only Hookline writes there.',
  };
}

/** Something in it could have kept calls from being recorded, and was removed. */
export function schemaTrouble(path: string, parts: readonly { readonly message: string }[]): StoreAlert {
  const said = parts.map(({ message }) => message).join(' ');
  const message = `Another program changed how ${basename(path)} works. ${said} It is as before again.`;
  return {
    code: 'history-changed',
    level: 'problem',
    message,
    fix: 'Find out which program that is. What happened until now may not have been recorded.',
  };
}

/** It was unusable at startup. */
export function unusableTrouble(why: string, aside: string | null, lost: number): StoreAlert {
  const where = aside === null ? '' : ` It was set aside as ${basename(aside)}.`;
  const message = `The database of the history could not be used: ${why}.${where} A new one was started, without ${counted(lost, 'record')}.`;
  return { code: 'history-damaged', level: 'problem', message, fix: aside === null ? null : RECOVER };
}

/** Its end is missing. */
export function missingTrouble(lost: number, aside: string | null): StoreAlert {
  const why =
    aside === null
      ? 'The database was replaced by an older one, or the computer lost power.'
      : `The log of the database was damaged; it was set aside as ${basename(aside)}.`;
  const message = `The newest ${counted(lost, 'record')} of the history ${lost === 1 ? 'is' : 'are'} missing. ${why}`;
  return { code: 'history-missing', level: 'problem', message, fix: aside === null ? null : RECOVER };
}
