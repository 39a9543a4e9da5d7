import { entryOf } from '../../model/lookup.ts';
import { rememberPer } from '../../platform/bounded.ts';
import type { Analysis } from '../analysis.ts';
import { withoutComments } from './comments.ts';
import type { Language } from './language.ts';
import { LANGUAGES } from './languages.ts';

/** Calls that read and report. */
const LOOKING: ReadonlySet<string> = new Set(
  [
    'open read readline readlines read_text read_bytes readFileSync readFile readdirSync existsSync statSync exists is_file is_dir',
    'listdir iterdir glob walk load loads safe_load dump dumps parse stringify print log error dir table write puts p pp pprint',
    'len str int float bool list dict set tuple sorted reversed enumerate range zip sum min max any all type repr format join',
    'split splitlines strip trim lower upper toLowerCase startswith endswith startsWith endsWith includes replace get keys values',
    'items entries fromEntries map filter reduce forEach find some every slice toString expanduser abspath Path home homedir resolve',
    'count index indexOf match search findall compile test require isinstance decode encode if for while in not and or return with',
  ]
    .join(' ')
    .split(' '),
);
/** `write` above means standard output. Files are written through a handle that was opened for it. */
const OUTPUT = /\b(?:stdout|stderr)\.write\b/g;

const CALLED = /\s*\(/y;
const SEEN_BY: ReadonlySet<string> = new Set(['read', 'open', 'dynamic']);
const STRING = /'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

/** True if a program text only reads, which requires that every word in it is known. */
export function onlyReads({ commands, effects }: Analysis, index: number, code: string): boolean {
  const language = entryOf(LANGUAGES, commands[index]?.tool ?? '');
  // If calls need no brackets, a bare word may be one.
  if (!language || language.bareCalls || language.backticks) return false;
  const harms = effects.some(({ command, kind }) => command === index && kind !== 'read' && kind !== 'run');
  if (harms || commands.some(({ via }, at) => at > index && via.length > 0)) return false;
  const text = withoutComments(code, language.comments).replace(OUTPUT, 'print').replace(STRING, '""');
  // A call of another expression's result, a computed member, or a built text: `a[b](c)`.
  if (/[\])"`]\s*\(|`|\bimport\s*\(|\w\s*\[\s*""/.test(text)) return false;
  const acting = actingNames(language);
  const names = [...text.matchAll(/[A-Za-z_$][\w$]*/g)];
  return names.every(({ 0: name, index: at }) => {
    CALLED.lastIndex = at + name.length;
    const isCalled = CALLED.test(text);
    return isCalled ? LOOKING.has(name) : !acting.has(name);
  });
}

/** Names with side effects when called. They may also be passed to a function that calls them. */
const actingNames = rememberPer(
  ({ calls }: Language): ReadonlySet<string> =>
    new Set(
      Object.entries(calls)
        .filter(([, action]) => !SEEN_BY.has(action))
        .flatMap(([call]) => [call, call.slice(call.lastIndexOf('.') + 1)]),
    ),
);
