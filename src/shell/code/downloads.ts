import type { Call } from '../call.ts';
import { fetchedFrom } from '../memory/fetched.ts';

/** A program that downloads to a file and runs that file runs code from the network. */
export function runsDownload(call: Call, before: number): void {
  const host = fetchedFrom(call, [call.index], '');
  if (host === undefined) return;
  const written = new Set(
    call.walk.effects.flatMap((effect) =>
      effect.kind === 'write' && effect.command === call.index && effect.path !== null ? [effect.path] : [],
    ),
  );
  const ran = call.walk.commands.slice(before).flatMap(({ argv }) => argv.slice(0, 3));
  for (const word of ran) {
    const { path } = call.path(word);
    if (path === null || !written.has(path)) continue;
    call.execute('network', path, host);
    return;
  }
}
