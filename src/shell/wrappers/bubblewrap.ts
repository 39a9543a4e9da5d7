import { UNKNOWN } from '../analysis.ts';
import type { Call } from '../call.ts';

/** Options with two words, of which the second is the path inside. */
const PAIRS =
  /^--(?:(?:ro-|dev-)?bind(?:-try|-fd|-data)?|ro-bind-data|symlink|setenv|chmod|file|overlay-src)$/;
const SINGLE =
  /^--(?:args|argv0|unsetenv|chdir|uid|gid|hostname|(?:remount-)?ro|dev|proc|tmpfs|mqueue|dir|perms|size|lock-file|sync-fd|block-fd|info-fd|seccomp|cap-add|cap-drop|tmp-overlay|ro-overlay)$/;

/** `bwrap OPTIONS COMMAND`: a bound path has another name inside. */
export function bubblewrap(call: Call): string {
  const words = call.command.argv.slice(1);
  let at = 0;
  for (let option = words[at]?.template ?? ''; option.startsWith('--'); option = words[at]?.template ?? '') {
    const values = PAIRS.test(option) ? 2 : SINGLE.test(option) ? 1 : 0;
    if (/bind|tmpfs|overlay/.test(option))
      for (const word of words.slice(at + 1, at + 1 + values)) call.system('link', call.path(word).path);
    at += values + 1;
  }
  return at < words.length ? call.runArgv(words.slice(at)) : UNKNOWN;
}
