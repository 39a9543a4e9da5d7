import { entryOf } from '../../model/lookup.ts';
import { type Stdin, UNKNOWN } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { posixPath } from '../places/windows-paths.ts';
import { makeWord } from '../word.ts';

/** One command of a cmd.exe line. */
interface Part {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  readonly piped: boolean;
}

const TOKEN =
  /\s+|(&&|\|\||[&|()\n])|(?:[0-9])?(>>?)(?:&[0-9])?\s*|<\s*|((?:"[^"\n]*"?|\^[\s\S]|[^\s"&|()<>^])+)|[\s\S]/g;

/** Splits a line as cmd.exe does. */
export function cmdParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  let piped = false;
  let isTarget = false;
  const end = (pipes: boolean) => {
    if (words.length > 0) parts.push({ words, writes, piped });
    words = [];
    writes = [];
    piped = pipes;
  };
  for (const [whole, operator, redirect, word] of text.matchAll(TOKEN)) {
    if (operator !== undefined) end(operator === '|');
    else if (redirect !== undefined) isTarget = !whole.includes('&');
    else if (word !== undefined) {
      const plain = word.replace(/\^([\s\S])/g, '$1').replace(/"/g, '');
      (isTarget ? writes : words).push(plain);
      isTarget = false;
    }
  }
  end(false);
  return parts;
}

/** cmd.exe words and the equivalent programs. */
const SAME: Readonly<Record<string, string>> = {
  type: 'cat',
  copy: 'cp',
  move: 'mv',
  ren: 'mv',
  rename: 'mv',
  md: 'mkdir',
  chdir: 'cd',
  rmdir: 'rd',
  erase: 'del',
  title: 'echo',
  rem: 'echo',
  ver: 'echo',
  vol: 'echo',
  cls: 'echo',
  dir: 'echo',
  find: 'echo',
  findstr: 'echo',
  where: 'echo',
  tree: 'echo',
  assoc: 'echo',
  ftype: 'echo',
  path: 'echo',
  setlocal: 'echo',
  endlocal: 'echo',
  fc: 'echo',
  more: 'cat',
};

const SWITCH = /^\/[a-z?](?::\S*|-\w)?$/i;

/** Runs a line the way cmd.exe would. */
export function runCmdLine(call: Call, text: string): string {
  // Its words are looked up under other names, so no permission may cover them.
  call.walk.lost('cmd: read in part');
  for (const part of cmdParts(text.replace(/^@/, ''))) {
    const words = unwrapped(part.words);
    if (words.length === 0) continue;
    const stdin: Stdin = { from: 'pipe', text: null, template: UNKNOWN, sources: [] };
    call.runArgv(asProgram(words), part.piped ? { stdin } : {});
    for (const target of part.writes) if (!/^nul$/i.test(target)) call.write(literal(posixPath(target)));
  }
  return UNKNOWN;
}

/** `if exist x y` runs y, `for … do y` as well, and `call y` and `start "" y` are y. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const name = first.toLowerCase().replace(/^@/, '');
  if (name === 'call' || name === 'do' || name === 'else') return unwrapped(rest);
  if (name === 'start') {
    const at = rest.findIndex(
      (word) => word !== '' && !SWITCH.test(word) && !/^\/(?:wait|min|max)$/i.test(word),
    );
    return at < 0 ? [] : unwrapped(rest.slice(at));
  }
  if (name === 'if') {
    const at = rest.findIndex((word) => /^(?:exist|defined|errorlevel)$/i.test(word));
    return unwrapped(rest.slice(at >= 0 ? at + 2 : /^not$/i.test(rest[0] ?? '') ? 2 : 1));
  }
  if (name === 'for')
    return unwrapped(rest.slice(rest.findIndex((word) => /^do$/i.test(word)) + 1 || rest.length));
  return [first.replace(/^@/, ''), ...rest];
}

function asProgram([first = '', ...rest]: readonly string[]): ReturnType<typeof literal>[] {
  const name = first.toLowerCase();
  const same = entryOf(SAME, name);
  const paths = (words: readonly string[]) =>
    words.map((word) => {
      // A whole drive is written like a switch.
      const text = SWITCH.test(word) ? word : posixPath(word).replace(/^\/[a-z]$/, '$&/');
      return makeWord(text, text, /[*?]/.test(text));
    });
  if (name === 'set') {
    const setting = rest.join(' ').replace(/^\/[ap]\s+/i, '');
    return (setting.includes('=') ? ['export', setting] : ['printenv']).map(literal);
  }
  if (same === 'cd' || name === 'cd') return paths(['cd', ...rest.filter((word) => !/^\/\w/.test(word))]);
  if (same === 'cp' || same === 'mv' || same === 'cat' || same === 'mkdir')
    return paths([same, ...rest.filter((word) => !/^\/-?\w$/.test(word))]);
  if (same === 'echo') return [literal('echo'), literal(name)];
  return [literal(posixPath(same ?? first)), ...paths(rest)];
}
