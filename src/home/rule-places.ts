import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '../agents/_registry.ts';
import { secretsFolder } from '../notify/secrets.ts';
import { listNames } from '../platform/bounded-files.ts';
import type { Places } from '../rules/places/named.ts';
import { apiSocketPath, socketPath } from '../wire/socket-path.ts';
import { type HomePaths, homePaths } from './paths.ts';
import {
  checkouts,
  type Program,
  programFiles,
  programFolders,
  programOf,
  programPlaces,
} from './program.ts';

const MAX_FILES = 1_000;

/** What the packs call by names, for a home, the program that serves it and the agents there are. */
export function rulePlaces(root: string, program: Program = programOf(root)): Places {
  return {
    ...agentPlaces(),
    'hookline-home': [`${root}/**`],
    'hookline-root': [root],
    'hookline-files': [...filesOf(homePaths(root)), ...programFiles(program)],
    'hookline-above': foldersAbove(root),
    'hookline-run': [`${root}/run/**`, socketPath(root), apiSocketPath(root)],
    // What runs from the home is among it, so that there is always something.
    'hookline-program': [`${root}/bin/**`, ...programPlaces(program)],
    'hookline-program-folders': [`${root}/bin`, ...programFolders(program)],
    'hookline-checkouts': [
      `${root}/bin`,
      ...checkouts(program).flatMap((folder) => [folder, `${folder}/**`]),
    ],
    'hookline-runtime': program.runtimes,
    'hookline-keys': keysOf(homePaths(root)),
  };
}

/** Those of the agents, which are the same on every machine. */
export function agentPlaces(): Places {
  const agents = [...AGENTS.values()];
  const files = agents.flatMap((agent) => agent.settingsFiles);
  const escapes = agents.map((agent) => agent.escapes);
  return {
    'agent-settings': files,
    'agent-settings-folders': [...new Set(files.flatMap(settingsFolders))],
    'agent-instructions': [...new Set(agents.flatMap(({ instructions = [] }) => instructions))],
    'agent-scratch': agents.flatMap(({ scratch = [] }) => scratch),
    'agent-programs': escapes.flatMap(({ programs }) => programs),
    'agent-unhooked': escapes.flatMap(({ unhooked }) => unhooked),
    'agent-other-settings': escapes.flatMap(({ otherSettings }) => otherSettings),
    'agent-unasked': escapes.flatMap(({ unasked = [] }) => unasked),
    'agent-variables': escapes.flatMap(({ variables }) => variables.map((name) => `env set ${name}`)),
  };
}

/** Keys: a process that reads them could sign, or answer, for the user. */
function keysOf({ root, machineKey, channels, phone }: HomePaths): string[] {
  return [machineKey, channels, `${secretsFolder(root)}/**`, `${phone}/**`];
}

/** What counts in a home, by name: what a search through the folders above it may come across. */
function filesOf(paths: HomePaths): string[] {
  const decide = [
    paths.config,
    paths.hooksFile,
    paths.confirmed,
    paths.trust,
    paths.grants,
    paths.guardHooks,
    paths.away,
    paths.devices,
    paths.fleet,
    paths.fleetPolicy,
    paths.fleetApprovers,
  ];
  const secret = [paths.token, paths.scriptKeys, paths.machineKey, paths.channels];
  const files = [...decide, ...secret, paths.database, paths.daemon];
  return [...files, ...[paths.rules, paths.hooks].flatMap(filesIn)];
}

function filesIn(folder: string): string[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return (isFolder ? (listNames(folder, MAX_FILES) ?? []) : []).map((name) => join(folder, name));
}

/** The files of settings in a project or a home, by their path there, that may name programs which are hooks. */
export function settingsNames(): readonly string[] {
  const files = [...AGENTS.values()].flatMap((agent) => agent.settingsFiles);
  return [...new Set(files)].flatMap((file) => /^\*\*\/([^*{]+)$/.exec(file)?.[1] ?? []);
}

/** The folders that a path lies in, without the root of the file system. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === dirname(folder) ? [] : [folder, ...foldersAbove(folder)];
}

/** The programs of agents, by the names of their packages. */
export function agentPrograms(): ReadonlyMap<string, string> {
  const named = [...AGENTS.values()].flatMap(({ processes, escapes }) => {
    const [program] = escapes.programs;
    return program === undefined ? [] : processes.packages.map((name) => [name, program] as const);
  });
  return new Map(named);
}

/** The folder of an agent's own, and those in it on the way to the file. */
function settingsFolders(file: string): string[] {
  const own = SETTINGS_FOLDER.exec(file)?.[0];
  if (own === undefined) return [];
  const inner = file
    .slice(own.length + 1)
    .split('/')
    .slice(0, -1);
  const pattern = inner.findIndex((name) => name.includes('*'));
  const named = pattern === -1 ? inner : inner.slice(0, pattern);
  return [own, ...named.map((_, at) => [own, ...named.slice(0, at + 1)].join('/'))];
}

/** The folder of an agent's own in which a file of settings lies: in some folders many programs have theirs. */
const SETTINGS_FOLDER =
  /^(?:\*\*\/\.(?:config|github)\/[^/*]+|\*\*\/\.(?!config\/|github\/)[^/*]+|\/[^*]*[^/*])(?=\/)/;
