import type { Call } from '../call.ts';
import { baseName, isActing } from './registry.ts';

const MAX_SKIPPED = 5;

/**
 * Any program may run its arguments. One we know nothing about is assumed to, when a program that we do know stands
 * among its first words with arguments of its own; what is found that way is marked `guessed`.
 */
export function guessWrapped(call: Call): void {
  const { argv } = call.command;
  const path = argv[0]?.text ?? '';
  if (path.includes('/') && !path.startsWith('/')) call.execute('file', call.path(argv[0] ?? EMPTY).path);
  const known = call.walk.files.get(call.path(argv[0] ?? EMPTY).path ?? '');
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
function runWritten(
  call: Call,
  file: { readonly text: string | null; readonly sources: readonly number[] },
): void {
  const host = call.fetchedBy(file.sources);
  if (host !== undefined) {
    call.execute('network', call.path(call.command.argv[0] ?? EMPTY).path, host);
    call.walk.lost(`${call.command.name} is code from the network`);
  } else if (file.text !== null) call.runText(file.text);
}
