import { join } from 'node:path';

import { homeFolder } from '../wire/home-folder.ts';

/** Where things are under `$HOOKLINE_HOME`. docs/home.md shows these comments. */
export interface HomePaths {
  /** The home itself. */
  readonly root: string;
  /** Settings. */
  readonly config: string;
  /** Your rules. */
  readonly rules: string;
  /** Your hooks in TypeScript. */
  readonly hooks: string;
  /** Your other hooks: scripts, HTTP, prompts. */
  readonly hooksFile: string;
  /** The history (SQLite). */
  readonly database: string;
  /** The forwarder. */
  readonly bin: string;
  /** Sockets and locks of the running daemon. */
  readonly run: string;
  /** Calls that no daemon recorded yet. */
  readonly spool: string;
  /** The daemon's log. */
  readonly log: string;
  /** What setup changed in files of other programs, so that it can be undone. */
  readonly setup: string;
  /** Held by the running daemon. */
  readonly lock: string;
  /** Admits requests over HTTP; new at each start. */
  readonly token: string;
  /** Info file of the running daemon. */
  readonly daemon: string;
  /** The last daemon's port. */
  readonly port: string;
  /** Random ID of this home. */
  readonly machineId: string;
  /** The key that signs the history. */
  readonly machineKey: string;
  /** The newest acknowledged record of the history. */
  readonly chainHead: string;
  /** Hashes of Hookline's program at its last setup. */
  readonly program: string;
  /** The confirmed version of settings and rules, signed. */
  readonly confirmed: string;
  /** Trusted projects. */
  readonly trust: string;
  /** Grants. */
  readonly grants: string;
  /** Hashes of script keys. */
  readonly scriptKeys: string;
  /** Paired devices, with hashes of their secrets. */
  readonly devices: string;
  /** Certificates of the listener for devices. */
  readonly phone: string;
  /** Hooks that have denied before, which are never paused. */
  readonly guardHooks: string;
  /** The last valid version of rule and hook files. */
  readonly lastGood: string;
  /** What `doctor --live` found for each agent and version. */
  readonly live: string;
  /** Generated topics for notifications. Knowing one is enough to answer, so agents can't read it. */
  readonly channels: string;
  /** Start and end of away mode. */
  readonly away: string;
  /** The fleet of this machine. */
  readonly fleet: string;
  /** How far the history was sent to the fleet. */
  readonly fleetCursor: string;
  /** The last accepted policy of the fleet. */
  readonly fleetPolicy: string;
  /** Machines that can answer approvals here. */
  readonly fleetApprovers: string;
  /** Compiled code of the program, sealed with the key of this machine. Can be deleted. */
  readonly compileCache: string;
}

export function homePaths(root: string = homeFolder()): HomePaths {
  const run = join(root, 'run');
  return {
    root,
    config: join(root, 'config.yaml'),
    rules: join(root, 'rules'),
    hooks: join(root, 'hooks'),
    hooksFile: join(root, 'hooks.yaml'),
    database: join(root, 'hookline.db'),
    bin: join(root, 'bin'),
    run,
    spool: join(root, 'spool'),
    log: join(root, 'log'),
    setup: join(root, 'setup'),
    lock: join(run, 'lock.db'),
    token: join(run, 'token'),
    daemon: join(run, 'daemon.json'),
    port: join(run, 'port.json'),
    machineId: join(root, 'machine-id'),
    machineKey: join(root, 'machine-key.pem'),
    chainHead: join(root, 'chain-head'),
    program: join(root, 'program.json'),
    confirmed: join(root, 'confirmed.json'),
    trust: join(root, 'trust.json'),
    grants: join(root, 'grants.json'),
    scriptKeys: join(root, 'script-keys.json'),
    devices: join(root, 'devices.json'),
    phone: join(root, 'phone'),
    guardHooks: join(root, 'guard-hooks.json'),
    lastGood: join(root, 'last-good'),
    live: join(root, 'live.json'),
    channels: join(root, 'channels.json'),
    away: join(root, 'away.json'),
    fleet: join(root, 'fleet.json'),
    fleetCursor: join(root, 'fleet-cursor.json'),
    fleetPolicy: join(root, 'fleet-policy.json'),
    fleetApprovers: join(root, 'fleet-approvers.json'),
    compileCache: join(root, 'compile-cache'),
  };
}
