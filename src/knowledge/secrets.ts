import * as v from 'valibot';
import { patterns } from './file-places.ts';
import { subcommands, words } from './word-lists.ts';

/** What files with secrets are called in rules: `"<credentials>"`. */
const SECRET_FILES = ['private-keys', 'credentials', 'secret-files', 'histories'] as const;

/** How an option of a program carries a secret, or its words do without one. */
const CARRIES = [
  /** `-p secret`, `-psecret` */
  'word',
  /** `-psecret` only: `-p word` is something else */
  'attached',
  /** `-u user:secret`, `-U user%secret`, `-u user,secret` */
  'pair',
  /** `--literal name=secret` */
  'setting',
  /** `-pass pass:secret`; `env:` and `file:` are not secrets */
  'source',
  /** Reads it from standard input */
  'stdin',
  /** The last word of the command is the secret */
  'last',
  /** The first word is `user/secret@place` */
  'slash',
  /** `/p:secret` */
  'slashed',
  /** `net use \\host\share secret` */
  'net',
  /** `config set name secret`, where the name is one of a secret */
  'entry',
  /** `secrets set name secret`, `config:set name=secret other=secret`, whatever they are called */
  'settings',
  /** `login secret`: the first word, unless it is one of a sentence */
  'first',
] as const;
export type OptionSecret = (typeof CARRIES)[number];

/** What a program takes, with these words behind it or with any. */
export interface SecretUsage {
  readonly on?: readonly string[] | undefined;
  /** Options, or other words before a secret. An empty name stands for the program itself. */
  readonly options: readonly { readonly name: string; readonly secret: OptionSecret }[];
}

const carries = v.picklist(CARRIES);
const before = v.record(v.pipe(v.string(), v.regex(/^\S+$/, 'one word before a secret')), carries);
const plain = v.pipe(v.string(), v.regex(/^[\w:-]+(?: [\w:-]+)*$/, 'words of a command'));
const usage = v.strictObject({
  on: v.optional(v.pipe(subcommands, v.array(plain))),
  with: v.optional(before),
  words: v.optional(
    v.union([
      v.array(carries),
      v.pipe(
        carries,
        v.transform((one) => [one]),
      ),
    ]),
  ),
});

const prints = v.union([
  v.pipe(
    v.literal('always'),
    v.transform(() => ['']),
  ),
  v.array(v.pipe(v.string(), v.nonEmpty())),
]);

/** How a program prints, carries and keeps secrets. */
export const secrets = v.strictObject({
  prints: v.optional(prints),
  /** Only what a name does not tell: `--password` is a secret with every program. */
  options: v.optional(
    v.union([
      v.pipe(
        before,
        v.transform((all) => [{ with: all }]),
      ),
      v.array(usage),
    ]),
  ),
  /** Other ways to write its name before these options. */
  spelled: v.optional(words),
  /** Files that it keeps them in. */
  files: v.optional(v.record(v.picklist(SECRET_FILES), patterns)),
});
type Secrets = v.InferOutput<typeof secrets>;

/** The ways in which programs are given secrets, by the name of the program. The first that fits counts. */
export type SecretUsages = Readonly<Record<string, readonly SecretUsage[]>>;

export function secretUsages(
  all: readonly { name: string; own: { secrets?: Secrets | undefined } }[],
): SecretUsages {
  const found: Record<string, readonly SecretUsage[]> = {};
  for (const { name, own } of all) {
    const { options, spelled = [] } = own.secrets ?? {};
    if (options === undefined) continue;
    const usages = options.map(usageFrom);
    for (const one of [name, ...spelled]) {
      if (Object.hasOwn(found, one)) throw new Error(`${name}: ${one} is spelled like another program`);
      found[one] = usages;
    }
  }
  return found;
}

function usageFrom({ on, with: before = {}, words: own = [] }: v.InferOutput<typeof usage>): SecretUsage {
  const options = Object.entries(before).map(([name, secret]) => ({ name, secret }));
  return { on, options: [...own.map((secret) => ({ name: '', secret })), ...options] };
}
