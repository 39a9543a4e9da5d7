import type { Call } from '../../call.ts';
import type { Language } from '../language.ts';
import { cursorIn, type Reading } from './cursor.ts';
import { run } from './functions.ts';
import { statements } from './statements.ts';
import { tokensOf } from './tokens.ts';
import { NOTHING } from './value.ts';
import { nameOf } from './variables.ts';

/** Settings for reading one program text. */
interface Settings {
  readonly inMemory: boolean;
  readonly framework: boolean;
  readonly evaluations: number;
  readonly scan: (code: string) => void;
}

interface Outcome {
  /** Texts that it builds. */
  readonly said: Iterable<string>;
  readonly runsAnything: boolean;
  readonly isCut: boolean;
}

/** How much may be read again because of calls and loops. */
const STEPS_PER_TOKEN = 3;
const MOST_STEPS = 20_000;

/** Methods that append to a list in place. */
const GROWS =
  /(?<![\w$.])([$@]?\w+)\s?(?:\.(?:append|appendleft|extend|insert|push|unshift|splice|concat|add|update)\s?\(|<<)|\b(?:push|unshift|array_push)\s?\(?\s?([$@]?\w+)\s?,/g;

/** Reads a program from start to end, then the functions that it never calls. */
export function readProgram(call: Call, code: string, language: Language, settings: Settings): Outcome {
  const tokens = tokensOf(code, language);
  const reading: Reading = {
    ...settings,
    call,
    language,
    names: new Map(),
    growing: new Set([...code.matchAll(GROWS)].map(([, own, given = '']) => nameOf(own ?? given))),
    blocks: new Map(),
    evaluated: new Set(),
    paths: new Map(),
    functions: new Map(),
    bodies: new Map(),
    said: new Set(),
    returned: [],
    steps: tokens.list.length * STEPS_PER_TOKEN + MOST_STEPS,
    calls: 0,
    indent: 0,
    depth: 0,
    block: -1,
    loops: false,
    runsAnything: false,
    isCut: false,
  };
  const first = tokens.list[0];
  if (first?.kind === 'line') reading.indent = first.indent ?? 0;
  statements(reading, cursorIn(tokens, 0, tokens.list.length, false));
  for (const bodies of reading.bodies.values())
    for (const body of bodies.values())
      if (!body.ran)
        run(
          reading,
          body,
          body.params.map(() => NOTHING),
        );
  return reading;
}
