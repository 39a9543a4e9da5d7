import type { Action } from '../language.ts';
import type { Value } from './value.ts';

/** They take a folder away only where they are told to: `fs.rmSync(x)` fails on one. */
const IF_TOLD = /(?:^|[./])(?:rm|rmSync|rmdir|rmdirSync|Deno\.remove|Deno\.removeSync)$/;

/** What a call that removes things takes, by its options. */
export function removalOf(action: Action, path: string, args: readonly Value[]): Action {
  if (action !== 'delete-tree' || !IF_TOLD.test(path)) return action;
  const [, options] = args;
  if (options === undefined || options.body) return 'delete';
  // Options by a name, or with a key that is computed, may say anything.
  return options.fields && !options.open && !options.fields.has('recursive') ? 'delete' : action;
}
