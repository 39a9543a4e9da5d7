import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HookEvent } from '../../src/model/events.ts';
import type { World } from '../../src/rules/facts.ts';
import { openPack, packNames } from '../../src/rules/pack.ts';
import { EXAMPLE_PLACES } from '../../src/rules/places/example.ts';
import { exampleCall } from '../../src/rules/review/examples.ts';
import { readCorpora } from '../score/corpus.ts';

/** A command line, or a call of another tool. */
export interface Input {
  readonly text: string;
  readonly call: { readonly event: HookEvent; readonly world: World } | null;
}

const ROOT = process.env.HOOKLINE_GOLDEN_ROOT ?? fileURLToPath(new URL('../../', import.meta.url));
/** What came of each input when it was last accepted. */
export const GOLDEN: string = join(ROOT, 'test/golden/golden.txt');
const SUPPORT = 'test/support';
const FOLDERS = ['shell', 'rules', 'redact'].flatMap((area) => [`src/${area}`, `${SUPPORT}/${area}`]);

/** Every example of a pack, every text in a test of the analysis, and the corpora that are at hand; each once. */
export function readInputs(corpora: readonly string[]): readonly Input[] {
  const inputs = new Map<string, Input>();
  const lines = [...FOLDERS.flatMap(textsInTests), ...corporaLines(corpora)];
  for (const input of packExamples()) inputs.set(input.text, input);
  for (const text of lines) if (!inputs.has(text)) inputs.set(text, { text, call: null });
  return [...inputs.values()];
}

function packExamples(): Input[] {
  const rules = packNames().flatMap((name) => openPack(name, false, EXAMPLE_PLACES).rules());
  return rules.flatMap((rule) => {
    const { match, pass } = rule.examples();
    return [...match, ...pass].map((example): Input => {
      if (typeof example === 'string') return { text: example, call: null };
      const text = `${[...rule.on].join()} ${JSON.stringify(example)}`;
      return { text, call: exampleCall(rule, example) };
    });
  });
}

const LITERAL = /'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\$]|\\.|\$(?!\{))+)`/g;
const ESCAPE = /\\(.)/gs;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/** What is written between quotes: more than the command lines among it, which does no harm. */
function textsInTests(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => (folder.startsWith(SUPPORT) ? /\.ts$/ : /\.test\.ts$/).test(file))
    .sort();
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, folder, file), 'utf8');
    return [...source.matchAll(LITERAL)]
      .map(([, single, double, template]) => single ?? double ?? template ?? '')
      .map((text) => text.replace(ESCAPE, (_, letter: string) => ESCAPED[letter] ?? letter))
      .filter((text) => text.length < LONGEST);
  });
}

const LONGEST = 10_000;

function corporaLines(places: readonly string[]): string[] {
  return places.length === 0
    ? []
    : readCorpora(places).flatMap(({ rows }) =>
        rows.flatMap(({ call }) => ('command' in call ? [call.command] : [])),
      );
}
