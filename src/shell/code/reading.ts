import { entryOf } from '../../model/lookup.ts';
import { rememberPer } from '../../platform/bounded.ts';
import type { Analysis } from '../analysis.ts';
import { withoutComments } from './comments.ts';
import type { Language } from './language.ts';
import { LANGUAGES } from './languages.ts';

/** Calls that look at something and say so. */
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
/** `write` above is of the standard output: a file is written through one that was opened for it. */
const OUTPUT = /\b(?:stdout|stderr)\.write\b/g;

const CALLED = /\s*\(/y;
const SEEN_BY: ReadonlySet<string> = new Set(['read', 'open', 'dynamic']);
const STRING = /'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

/** Whether a program text does no more than to read, as far as every word in it is known. Doubt is a no. */
export function onlyReads({ commands, effects }: Analysis, index: number, code: string): boolean {
  const language = entryOf(LANGUAGES, commands[index]?.tool ?? '');
  // Where a call needs no brackets, a bare word may be one.
  if (!language || language.bareCalls || language.backticks) return false;
  const harms = effects.some(({ command, kind }) => command === index && kind !== 'read' && kind !== 'run');
  if (harms || commands.some(({ via }, at) => at > index && via.length > 0)) return false;
  const text = withoutComments(code, language.comments).replace(OUTPUT, 'print').replace(STRING, '""');
  // A call of what another expression gives, a part by a computed name, text that is put together: `a[b](c)`.
  if (/[\])"`]\s*\(|`|\bimport\s*\(|\w\s*\[\s*""/.test(text)) return false;
  const acting = actingNames(language);
  const names = [...text.matchAll(/[A-Za-z_$][\w$]*/g)];
  return names.every(({ 0: name, index: at }) => {
    CALLED.lastIndex = at + name.length;
    const isCalled = CALLED.test(text);
    return isCalled ? LOOKING.has(name) : !acting.has(name);
  });
}

/** Names that do something when they are called; one may be passed on to something that calls it. */
const actingNames = rememberPer(
  ({ calls }: Language): ReadonlySet<string> =>
    new Set(
      Object.entries(calls)
        .filter(([, action]) => !SEEN_BY.has(action))
        .flatMap(([call]) => [call, call.slice(call.lastIndexOf('.') + 1)]),
    ),
);
