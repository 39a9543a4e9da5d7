import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { namesIn } from '../placeholders.ts';
import { isFed } from '../traits/feeders.ts';

/** System programs have known names. A pattern for them only hides which one is meant. */
const SYSTEM = /^\/(?:bin|sbin|usr|opt|lib\w*|snap|nix|System|Library|Applications)(?:\/|$)/;

/**
 * True if a word is one of the files that a pattern or a search matches in the working directory: `"$f"` in a loop over
 * `tests/*.sh`. Which file is unknown, but none that the session wrote or downloaded.
 */
export function isGlobResult(call: Call, word: Word): boolean {
  const { path, among } = call.path(word);
  const places = among ?? (path?.includes('/**') ? [path] : []);
  const { cwd } = call.walk.state;
  return (
    places.length > 0 &&
    cwd !== null &&
    !SYSTEM.test(cwd) &&
    !mayBeNew(call) &&
    places.every((place) => place.startsWith(`${cwd}/`) && !call.walk.store.hasScriptLike(place))
  );
}

/** The whole name, not a part of it. */
const WHOLE = /^"?(?:\.\/)?(?:\$\w+|\$\{\w+\}|\{\})"?$/;

/** Like `isGlobResult`, for a program. A name without a directory is looked up on PATH, not in this directory. */
export function isListedProgram(call: Call, word: Word): boolean {
  const { walk } = call;
  if (!WHOLE.test(word.raw) || isFed(walk.frame.via) || !isGlobResult(call, word)) return false;
  return word.template.includes('/') || !walk.bareNames.has(namesIn(word.template));
}

/** True if the line itself may have created a file at an unknown path. */
export function mayBeNew({ walk }: Call): boolean {
  return walk.effects.some(
    (effect) => effect.kind === 'network' || (effect.kind === 'write' && effect.path === null),
  );
}
