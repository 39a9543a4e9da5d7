import { UNKNOWN } from '../analysis.ts';
import { FOUND, SIFTED } from '../places/paths.ts';
import { posixPath } from '../places/windows-paths.ts';
import { runArgv, runCode } from './argv.ts';
import type { Evaluation } from './evaluate.ts';
import { callMethod, property } from './members.ts';
import { type Bound, isOn, valuesOf } from './parameters.ts';
import { created } from './static-calls.ts';
import { ANYTHING, concatenated, derived, NOTHING, textValue, union, type Value } from './values.ts';

/** A command with its sorted words. */
interface Given {
  readonly command: string;
  readonly given: readonly Value[];
  readonly words: readonly string[];
  readonly bound: Bound;
  readonly input: Value;
  /** Output of the blocks among its words. */
  readonly inBlocks: Value;
}

type Special = (evaluation: Evaluation, given: Given) => Value;

const paths = ({ bound }: Given): readonly string[] => [
  ...valuesOf(bound, 'path', 'literalpath', 'filepath'),
  ...bound.rest,
];

/** Passes its input on. */
const passes: Special = (_, { input, given }) => (input === NOTHING ? union(NOTHING, ...given) : input);

const forEach: Special = (evaluation, { bound, input, inBlocks, given }) => {
  if (given.some(({ blocks, isCode }) => blocks.length > 0 || isCode)) return inBlocks;
  const [name = '', ...rest] = [...valuesOf(bound, 'membername'), ...bound.rest];
  return /^(?:delete|kill|terminate|invoke|stop|close|moveto|copyto|create)$/i.test(name) || rest.length > 0
    ? callMethod(
        evaluation,
        input,
        name.toLowerCase(),
        rest.map((word) => textValue(word)),
      )
    : property(input, name.toLowerCase());
};

/** Some of the input; perhaps all. */
const where: Special = (_, { input }) => ({
  ...input,
  items: input.items.map((item) =>
    item === '*'
      ? UNKNOWN
      : item.endsWith(FOUND)
        ? item.slice(0, -FOUND.length) + SIFTED.perhaps
        : item.replace(/\/\*\*\//, `${SIFTED.perhaps}/`),
  ),
});

const select: Special = (evaluation, given) => {
  const [name] = valuesOf(given.bound, 'expandproperty');
  return name === undefined ? passes(evaluation, given) : property(given.input, name.toLowerCase());
};

const joinPath: Special = (_, { bound, given }) => {
  const named = [...valuesOf(bound, 'path'), ...valuesOf(bound, 'childpath', 'additionalchildpath')];
  if (named.length > 0 || given.some(({ items }) => items.length > 1))
    return textValue([...named, ...bound.rest].join('/').replaceAll('\\', '/'));
  return concatenated(given.flatMap((value, at) => (at === 0 ? [value] : [textValue('/'), value])));
};

const splitPath: Special = (_, given) => {
  const of = paths(given).map(posixPath);
  const isLast = isOn(given.bound, 'leaf') || isOn(given.bound, 'leafbase') || isOn(given.bound, 'extension');
  return textValue(
    ...(of.length > 0 ? of : given.input.items).map((path) => {
      const slash = path.lastIndexOf('/');
      return isLast ? path.slice(slash + 1) : slash < 0 ? '.' : path.slice(0, slash) || '/';
    }),
  );
};

const itself: Special = (evaluation, given) => {
  const of = paths(given);
  runArgv(evaluation, [given.command, ...given.words], given.input, {
    singleDash: true,
    run: () => undefined,
  });
  return of.length > 0 ? textValue(...of.map(posixPath)) : given.input;
};

/** The names in a directory. */
const children: Special = (evaluation, given) => {
  const { bound, command, words, input } = given;
  const recurse = isOn(bound, 'recurse') || bound.named.has('depth');
  const [first, ...others] =
    valuesOf(bound, 'path', 'literalpath').length > 0
      ? [...valuesOf(bound, 'path', 'literalpath')]
      : bound.rest;
  const folders = first === undefined ? (input.items.length > 0 ? input.items : ['.']) : [first, ...others];
  if (folders.some((folder) => /^env:/i.test(folder))) return runArgv(evaluation, ['printenv'], NOTHING);
  runArgv(evaluation, [command, ...words], NOTHING, { singleDash: true, run: () => undefined });
  const names = valuesOf(bound, 'filter', 'include');
  return textValue(
    ...folders.flatMap((folder) =>
      (names.length > 0 ? names : [null]).map((name) => foundIn(posixPath(folder), name, recurse)),
    ),
  );
};

function foundIn(folder: string, name: string | null, recurse: boolean): string {
  const slash = folder.lastIndexOf('/');
  const last = folder.slice(slash + 1);
  if (last.includes('*') && name === null)
    return recurse ? `${slash < 0 ? '.' : folder.slice(0, slash)}${FOUND}/${last}` : folder;
  const base = last === '*' ? folder.slice(0, Math.max(slash, 0)) || '.' : folder;
  const below = base.endsWith('/') ? base.slice(0, -1) : base;
  if (!recurse) return `${below}/${name ?? '*'}`;
  return `${below}${FOUND}${name === null || name === '*' ? '' : `/${name}`}`;
}

const goTo: Special = (evaluation, given) => {
  const [to] = paths(given);
  if (given.command === 'push-location') evaluation.folders.push(evaluation.walk.state.cwd);
  if (/^(?:hk\w+|env|cert|variable|function|alias|wsman|iis):/i.test(to ?? ''))
    evaluation.walk.state.cwd = null;
  else runArgv(evaluation, ['cd', ...(to === undefined ? [] : [to])], NOTHING);
  return NOTHING;
};

const setVariable: Special = (evaluation, { bound, input }) => {
  const [name, ...values] = [...valuesOf(bound, 'name'), ...bound.rest];
  if (name === undefined) return NOTHING;
  evaluation.setVariable(name.toLowerCase(), union(textValue(...valuesOf(bound, 'value'), ...values), input));
  return NOTHING;
};

const setAlias: Special = (evaluation, { bound }) => {
  const [name = '', value = UNKNOWN] = [
    ...valuesOf(bound, 'name'),
    ...valuesOf(bound, 'value'),
    ...bound.rest,
  ];
  evaluation.scope.aliases.set(name.toLowerCase(), value);
  return NOTHING;
};

const evaluate: Special = (evaluation, { given, input }) => {
  const code = given.filter(({ items: [only = ''] }) => !/^-c(?:o|om|omm|omma|omman|ommand)?$/i.test(only));
  return runCode(evaluation, union(NOTHING, ...code, ...(code.length === 0 ? [input] : [])));
};

const start: Special = (evaluation, { bound, input }) => {
  const [program, ...rest] = [...valuesOf(bound, 'filepath'), ...bound.rest];
  // Joins the words with spaces, so that their content is split again.
  const given = [...rest, ...valuesOf(bound, 'argumentlist')].flatMap(
    (word) => word.match(/"[^"]*"|\S+/g)?.map((one) => one.replace(/^"(.*)"$/s, '$1')) ?? [],
  );
  const { walk } = evaluation;
  if (program === undefined) return NOTHING;
  // A page opened in a browser.
  if (/^https?:/i.test(program)) return NOTHING;
  const words = /^runas$/i.test(valuesOf(bound, 'verb')[0] ?? '')
    ? ['sudo', program, ...given]
    : [program, ...given];
  walk.step();
  return runArgv(evaluation, words, input);
};

const make: Special = (evaluation, { bound, given }) => {
  const [named] = valuesOf(bound, 'comobject');
  if (named !== undefined) return { ...ANYTHING, type: `com:${named.toLowerCase()}` };
  const [name = '', ...rest] = [...valuesOf(bound, 'typename'), ...bound.rest];
  const values = [...valuesOf(bound, 'argumentlist'), ...rest].map((word) => textValue(word));
  return created(
    evaluation,
    name.toLowerCase().replace(/^system\./, ''),
    values.length > 0 ? values : given.slice(1),
  );
};

const addType: Special = (evaluation, { bound, words }) => {
  const code = ['typedefinition', 'memberdefinition', 'path', 'literalpath'].some((name) =>
    bound.named.has(name),
  );
  if (!code && bound.rest.length === 0) return NOTHING;
  return runArgv(evaluation, ['add-type', ...words], NOTHING);
};

const load: Special = (evaluation, { bound, input }) => {
  const [module] = [...valuesOf(bound, 'name'), ...bound.rest];
  if (module === undefined || !/[\\/]|\.ps[md]?1$|\.dll$/i.test(module)) return NOTHING;
  return runArgv(evaluation, ['.', module], input);
};

/** Processes by name, or all without a name. */
const processes: Special = (evaluation, { command, bound, words }) => {
  runArgv(evaluation, [command, ...words], NOTHING, { singleDash: true, run: () => undefined });
  const named = [...valuesOf(bound, 'name', 'id'), ...bound.rest];
  return textValue(...(named.length > 0 ? named : ['*']));
};

const credential: Special = (evaluation) =>
  textValue(evaluation.walk.mark({ kind: 'secret', of: 'get-credential' }));

/** Commands whose value matters, or that are part of the language. */
export const SPECIAL: Readonly<Record<string, Special>> = {
  'foreach-object': forEach,
  'where-object': where,
  'select-object': select,
  'sort-object': passes,
  'get-unique': passes,
  'write-output': passes,
  'join-path': joinPath,
  'split-path': splitPath,
  'resolve-path': itself,
  'convert-path': itself,
  'get-item': itself,
  'get-childitem': children,
  'get-process': processes,
  'get-location': () => textValue('.'),
  'set-location': goTo,
  'push-location': goTo,
  'pop-location': (evaluation) => {
    evaluation.walk.state.cwd = evaluation.folders.pop() ?? null;
    return NOTHING;
  },
  'new-variable': setVariable,
  'set-variable': setVariable,
  'get-variable': (evaluation, { bound }) =>
    evaluation.value({ kind: 'variable', name: (bound.rest[0] ?? '').toLowerCase(), splat: false }),
  'set-alias': setAlias,
  'new-alias': setAlias,
  'invoke-expression': evaluate,
  'start-process': start,
  'new-object': make,
  'add-type': addType,
  'import-module': load,
  'get-credential': credential,
  'out-null': () => NOTHING,
  'get-date': () => ANYTHING,
  'new-guid': () => ANYTHING,
  'read-host': () => ANYTHING,
  'new-temporaryfile': () => textValue('/tmp/new-file.tmp'),
  'measure-command': (_, { inBlocks }) => derived(inBlocks),
  'start-job': (_, { inBlocks }) => inBlocks,
};
