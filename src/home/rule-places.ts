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

/** The paths behind the place names that packs use, for a home, its program and the agents. */
export function rulePlaces(root: string, program: Program = programOf(root)): Places {
  return {
    ...agentPlaces(),
    'hookline-home': [`${root}/**`],
    'hookline-root': [root],
    'hookline-files': [...filesOf(homePaths(root)), ...programFiles(program)],
    'hookline-above': foldersAbove(root),
    'hookline-run': [`${root}/run/**`, socketPath(root), apiSocketPath(root)],
    // Includes what runs from the home, so the list is never empty.
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

/** Places of the agents, which are the same on every machine. */
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

/** Keys: a process that reads them could sign or answer for the user. */
function keysOf({ root, machineKey, channels, phone }: HomePaths): string[] {
  return [machineKey, channels, `${secretsFolder(root)}/**`, `${phone}/**`];
}

/** A home's important files by name, which a search through parent directories may find. */
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

/** Settings files in a project or a home, by relative path, that may name programs as hooks. */
export function settingsNames(): readonly string[] {
  const files = [...AGENTS.values()].flatMap((agent) => agent.settingsFiles);
  return [...new Set(files)].flatMap((file) => /^\*\*\/([^*{]+)$/.exec(file)?.[1] ?? []);
}

/** All parent directories of a path, except the root. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === dirname(folder) ? [] : [folder, ...foldersAbove(folder)];
}

/** Agents' programs, by package name. */
export function agentPrograms(): ReadonlyMap<string, string> {
  const named = [...AGENTS.values()].flatMap(({ processes, escapes }) => {
    const [program] = escapes.programs;
    return program === undefined ? [] : processes.packages.map((name) => [name, program] as const);
  });
  return new Map(named);
}

/** The agent's own directory, and those in it on the way to the file. */
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

/** The agent's own directory that contains a settings file; some directories are shared by many programs. */
const SETTINGS_FOLDER =
  /^(?:\*\*\/\.(?:config|github)\/[^/*]+|\*\*\/\.(?!config\/|github\/)[^/*]+|\/[^*]*[^/*])(?=\/)/;
