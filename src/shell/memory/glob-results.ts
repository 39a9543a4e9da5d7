import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { namesIn } from '../placeholders.ts';
import { isFed } from '../traits/feeders.ts';

/** Programs of the system have names of their own; a pattern for them only hides which one is meant. */
const SYSTEM = /^\/(?:bin|sbin|usr|opt|lib\w*|snap|nix|System|Library|Applications)(?:\/|$)/;

/**
 * Whether a word is one of the files that a pattern or a search of the line comes to, in the folder it works in:
 * `"$f"` in a loop over `tests/*.sh`. Which one is not known, but none that the session itself has written or fetched.
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

/** The name itself, rather than what is left of it. */
const WHOLE = /^"?(?:\.\/)?(?:\$\w+|\$\{\w+\}|\{\})"?$/;

/** The same for a program. A name without a folder is looked up elsewhere, whatever there is of that name here. */
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
