import { resolve } from 'node:path';
import { SCRIPT_RUNNERS } from '../../model/shells.ts';
import { rememberPer } from '../../platform/bounded.ts';
import { type Analysis, type SimpleCommand, UNKNOWN } from '../../shell/analysis.ts';
import { onlyReads } from '../../shell/code/reading.ts';
import { makeWord } from '../../shell/word.ts';
import type { NamedCall } from './own-programs.ts';

/** Options of script runners that name a module. */
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)(?:=|$)/;
const IMPORTS = /\b(?:import|require|from)\b\s*\(?\s*['"`][^'"`]*/g;
const FILE_NAME = /(?<![\w./~@+-])(?:file:\/\/)?[\w./~@+-]*\/[\w./~@+-]+/g;

/**
 * Commands that load Hookline's program into another one: by code, by an option that preloads a module, or by
 * variables. The code decides about its arguments, so this counts as a separate call: `hookline --loaded`.
 */
export function loadingCalls(analysis: Analysis, isOwn: (path: string) => boolean): readonly SimpleCommand[] {
  const loads = loadsIn(analysis);
  if (loads.length === 0) return NONE;
  return loads.filter(({ files }) => files.some(isOwn)).map(({ command }) => ({ ...command, ...LOADED }));
}

const NONE: readonly SimpleCommand[] = [];

interface Load {
  readonly command: SimpleCommand;
  readonly files: readonly string[];
}

/** Cached per line; most lines have none. */
const loadsIn = rememberPer((analysis: Analysis): readonly Load[] =>
  analysis.commands.flatMap((command, index) => {
    if (command.tool === null || !SCRIPT_RUNNERS.includes(command.tool)) return [];
    const names = loadedBy(analysis, command, index).flatMap((text) => text.match(FILE_NAME) ?? []);
    const files = names.map((name) => resolve(command.cwd ?? '/', name.replace(/^file:\/\//, '')));
    return files.length === 0 ? [] : [{ command, files }];
  }),
);

/** Texts that name what a script runner loads. */
function loadedBy(
  analysis: Analysis,
  { argv, assignments }: SimpleCommand,
  index: number,
): readonly string[] {
  const code = analysis.code.filter(({ command }) => command === index);
  return [
    ...argv.flatMap(({ template }, at) =>
      LOADS.test(template) ? [template, argv[at + 1]?.template ?? ''] : [],
    ),
    ...assignments.flatMap(({ name, value }) => (name === 'NODE_OPTIONS' ? (value ?? []) : [])),
    ...code.flatMap(({ text }) => (onlyReads(analysis, index, text) ? (text.match(IMPORTS) ?? []) : [text])),
  ];
}

/** A debugger runs code in its target. */
const INSPECTS = /^--inspect[\w-]*(?:=|$)/;
const isAddedCode = (word: string) => LOADS.test(word) || INSPECTS.test(word);

/**
 * Calls of Hookline's program that make Node run other code too, each as `hookline --loaded`. `named` are the calls by
 * script, `node -r ./x.js bin/hookline.js`, with the number of words before it.
 */
export function callsWithAddedCode(
  { commands, effects }: Analysis,
  named: readonly NamedCall[],
): readonly SimpleCommand[] {
  const isSet = effects.some(
    (effect) => effect.kind === 'env' && effect.name === 'NODE_OPTIONS' && addsCode(effect.value),
  );
  if (!isSet && named.length === 0) return NONE;
  const byScript = named.flatMap(({ command, program, at }) =>
    program === 'hookline' &&
    (isSet || command.argv.slice(1, at).some(({ template }) => isAddedCode(template)))
      ? [command]
      : [],
  );
  const byName = isSet ? commands.filter(({ tool }) => tool === 'hookline') : [];
  return [...byScript, ...byName].map((command) => ({ ...command, ...LOADED }));
}

/** An unknown value may be anything. */
const addsCode = (value: string | null) =>
  value === null || value.includes(UNKNOWN) || value.split(/[\s"']+/).some(isAddedCode);

const LOADED = {
  name: 'hookline',
  tool: 'hookline',
  argv: [makeWord('hookline', 'hookline')],
  sub: [],
  options: [{ name: '--loaded', value: null, raw: '--loaded', declared: false }],
  operands: [],
} as const;
