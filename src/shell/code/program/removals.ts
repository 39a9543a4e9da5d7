import type { Action } from '../language.ts';
import type { Value } from './value.ts';

/** These delete a directory only with an option: `fs.rmSync(x)` fails on one. */
const IF_TOLD = /(?:^|[./])(?:rm|rmSync|rmdir|rmdirSync|Deno\.remove|Deno\.removeSync)$/;

/** What a removing call deletes, by its options. */
export function removalOf(action: Action, path: string, args: readonly Value[]): Action {
  if (action !== 'delete-tree' || !IF_TOLD.test(path)) return action;
  const [, options] = args;
  if (options === undefined || options.body) return 'delete';
  // Named options, or options with a computed key, may contain anything.
  return options.fields && !options.open && !options.fields.has('recursive') ? 'delete' : action;
}
