/** What is done. After `stop` it is still there, but of no use to anyone; `unguard` takes away what protects something. */
export const ACTS = [
  'read',
  'write',
  'overwrite',
  'remove',
  'stop',
  'send',
  'run',
  'grant',
  'unguard',
  'persist',
  'publish',
  'message',
  'pay',
  'expose',
  'change',
] as const;
type Act = (typeof ACTS)[number];

/** What it is done to, in wide words for what effects say, and in narrow ones for what programs say themselves. */
export const OBJECTS = [
  'path',
  'work',
  'history',
  'resource',
  'secret',
  'service',
  'machine',
  'disk',
  'schedule',
  'account',
  'guard',
  'foreign-code',
  'people',
  'money',
  'package',
  'project',
  'unknown',
  'access',
  'agent',
  'application',
  'backup',
  'build',
  'capacity',
  'certificate',
  'changed-files',
  'charge',
  'cluster',
  'commit-check',
  'commits',
  'console',
  'container',
  'customer',
  'data',
  'deployment',
  'device',
  'disk-volume',
  'download',
  'entry',
  'everything',
  'file',
  'foreign-package',
  'global-package',
  'hooked-program',
  'host-check',
  'infrastructure',
  'isolation',
  'key',
  'keyboard',
  'loaded-code',
  'login',
  'machine-secret',
  'miner',
  'mount',
  'other-program',
  'package-source',
  'password',
  'pipeline',
  'queue',
  'reference',
  'release',
  'repository',
  'request',
  'right',
  'schema',
  'screen',
  'setting',
  'start',
  'stash',
  'stream',
  'surroundings',
  'token',
  'tool-server',
  'tunnel',
  'user-package',
  'vault',
  'version',
  'volume',
  'words',
  'workload',
] as const;
type ObjectWord = (typeof OBJECTS)[number];

/** An act and its object: `remove path`. */
export type DeedName = `${Act} ${ObjectWord}`;

/** Of effects with all of these words, the kind first. */
export interface ActLine {
  readonly words: readonly string[];
  readonly deed: DeedName;
}

/** What a program does with some of its words: commands without its name, in the notation of rules. */
export interface ProgramAct {
  readonly deed: DeedName;
  readonly commands: readonly string[];
}
