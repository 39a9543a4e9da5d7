import { resolve } from 'node:path';
import { SCRIPT_RUNNERS } from '../model/programs.ts';
import { rememberPer } from '../platform/bounded.ts';
import type { Analysis, SimpleCommand } from '../shell/analysis.ts';
import { onlyReads } from '../shell/code/reading.ts';
import { makeWord } from '../shell/word.ts';

/** Options of script runners that name a module. */
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)(?:=|$)/;
const IMPORTS = /\b(?:import|require|from)\b\s*\(?\s*['"`][^'"`]*/g;
const FILE_NAME = /(?:file:\/\/)?[\w./~@+-]*\/[\w./~@+-]+/g;

/**
 * Commands that load Hookline's program into another one: by code, by an option that has a module loaded first, by
 * variables. Which words it then gets is up to the code, so that this is one call of its own: `hookline --loaded`.
 */
export function loadingCalls(analysis: Analysis, isOwn: (path: string) => boolean): readonly SimpleCommand[] {
  return loadsIn(analysis)
    .filter(({ files }) => files.some(isOwn))
    .map(({ command }) => ({ ...command, ...LOADED }));
}

interface Load {
  readonly command: SimpleCommand;
  readonly files: readonly string[];
}

/** The same for a line however often it is run; most lines have none. */
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

const LOADED = {
  name: 'hookline',
  tool: 'hookline',
  argv: [makeWord('hookline', 'hookline')],
  sub: [],
  options: [{ name: '--loaded', value: null, raw: '--loaded', declared: false }],
  operands: [],
} as const;
