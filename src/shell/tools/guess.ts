import type { Call } from '../call.ts';
import { fetchedFrom } from '../fetched.ts';
import { isUnknown } from '../marks.ts';
import type { Content } from '../store.ts';
import { baseName, isActing } from './registry.ts';
import { isDecoded } from './shells.ts';

const MAX_SKIPPED = 5;

/**
 * Any program may run its arguments. One we know nothing about is assumed to, when a program that we do know stands
 * among its first words with arguments of its own; what is found that way is marked `guessed`.
 */
export function guessWrapped(call: Call): void {
  const { argv } = call.command;
  const path = argv[0]?.text ?? '';
  if (path.includes('/') && !path.startsWith('/')) call.execute('file', call.path(argv[0] ?? EMPTY).path);
  const known = call.walk.store.get(call.path(argv[0] ?? EMPTY).path ?? '');
  if (path.includes('/') && known) runWritten(call, known);
  for (let i = 1; i < Math.min(argv.length - 1, MAX_SKIPPED); i++) {
    const text = argv[i]?.text;
    if (!text || text.startsWith('-') || !isActing(baseName(text))) continue;
    call.runArgv(argv.slice(i), { guessed: true });
    return;
  }
}

const EMPTY = { text: '', raw: '', dynamic: false, glob: false, template: '' };

/** `./x` after an earlier command of the line wrote or fetched x. */
function runWritten(call: Call, { template, sources }: Content): void {
  const host = fetchedFrom(call, sources, template);
  if (host !== undefined) {
    call.execute('network', call.path(call.command.argv[0] ?? EMPTY).path, host);
    call.walk.lost(`${call.command.name} is code from the network`);
  } else if (!isUnknown(template)) call.runText(template);
  else if (isDecoded(call, sources)) call.execute('decoded');
}
