import * as v from 'valibot';
import { parse } from 'yaml';
import { words } from './word-lists.ts';

/** What a verb comes to, and how surely. The file in `knowledge/` says what each of these means. */
const STRENGTHS = {
  remove: ['surely', 'mostly', 'loosely'],
  stop: ['surely', 'mostly', 'loosely'],
  grant: ['surely'],
  pay: ['surely'],
} as const;

/**
 * How sure a verb has to be at each door, which is the whole difference between them: a described service keeps what others
 * rely on, so that a loose verb is enough there, and a word of an unknown program has to leave no doubt.
 */
const DOORS = {
  subcommand: [
    'remove surely',
    'remove mostly',
    'remove loosely',
    'stop surely',
    'stop mostly',
    'grant surely',
  ],
  'last-part': ['remove surely', 'remove mostly'],
  option: ['remove surely', 'remove mostly'],
  operation: ['remove surely', 'remove mostly'],
  undescribed: ['remove surely'],
  'undescribed-last-part': ['remove surely'],
  request: ['remove surely', 'stop surely', 'grant surely'],
  address: ['remove surely', 'remove mostly', 'stop surely', 'grant surely', 'pay surely'],
  method: ['remove surely'],
  'method-big': ['remove mostly', 'remove loosely'],
  tool: ['remove surely', 'stop surely', 'grant surely'],
  'tool-big': ['remove mostly', 'remove loosely'],
  'tool-live': ['stop surely', 'stop mostly', 'stop loosely'],
  'tool-flag': ['remove surely'],
  'tool-file': ['remove surely', 'remove mostly'],
  typed: ['remove surely'],
  click: ['remove surely', 'remove mostly', 'stop surely', 'stop mostly', 'grant surely'],
} as const;
type Door = keyof typeof DOORS;

const LISTS = [
  'look',
  'look-only',
  'names-next',
  'act',
  'noun-big',
  'noun-small',
  'noun-people',
  'rests',
  'noun-hosted',
  'noun-page',
  'noun-guard',
  'noun-key',
  'noun-many',
  'changes',
  'alters',
  'deploys',
  'goes-live',
] as const;

export type VerbUse = Door | (typeof LISTS)[number];

const doorNames = Object.keys(DOORS) as readonly Door[];
const word = v.pipe(
  v.string(),
  v.regex(/^[a-z\d]+(?:-[a-z]+)*$/, 'a word has lowercase letters and digits only'),
);
const list = v.pipe(words, v.array(word), v.minLength(1, 'a list without words'));
const someDoors = v.optional(v.strictObject(v.entriesFromList(doorNames, v.optional(list))), {});

const file = v.strictObject({
  acts: v.strictObject({
    remove: v.strictObject(v.entriesFromList(STRENGTHS.remove, list)),
    stop: v.strictObject(v.entriesFromList(STRENGTHS.stop, list)),
    grant: v.strictObject(v.entriesFromList(STRENGTHS.grant, list)),
    pay: v.strictObject(v.entriesFromList(STRENGTHS.pay, list)),
  }),
  also: someDoors,
  not: someDoors,
  lists: v.strictObject(v.entriesFromList(LISTS, list)),
});

/** Reads `verbs.yaml`, when Hookline is built: the words of each door, and the lists beside them. */
export function parseVerbs(yaml: string): Readonly<Record<VerbUse, readonly string[]>> {
  const parsed = v.safeParse(file, parse(yaml));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    throw new Error(`verbs.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
  }
  const { acts, also, not, lists } = parsed.output;
  const of = new Map(
    Object.entries(acts).flatMap(([act, strengths]) =>
      Object.entries(strengths).map(([strength, verbs]) => [`${act} ${strength}`, verbs] as const),
    ),
  );
  checkOnce([...of.values()].flat());
  const atDoor = (door: Door): readonly string[] => {
    const counted = DOORS[door].flatMap((strength) => of.get(strength) ?? []);
    const left = new Set(not[door] ?? []);
    const idle = [...left].filter((one) => !counted.includes(one));
    if (idle.length > 0) throw new Error(`verbs.yaml, not.${door}: ${idle.join(', ')} does not count there`);
    return [...counted.filter((one) => !left.has(one)), ...(also[door] ?? [])];
  };
  const doors = Object.fromEntries(doorNames.map((door) => [door, atDoor(door)]));
  return v.parse(v.object(v.entriesFromList([...doorNames, ...LISTS], v.array(v.string()))), {
    ...doors,
    ...lists,
  });
}

function checkOnce(verbs: readonly string[]): void {
  const twice = verbs.find((verb, at) => verbs.indexOf(verb) !== at);
  if (twice !== undefined) throw new Error(`verbs.yaml, acts: ${twice} stands there twice`);
}
