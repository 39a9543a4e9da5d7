import { join } from 'node:path';

import { homeFolder } from '../wire/home-folder.ts';

/** Paths under `$HOOKLINE_HOME`. */
export interface HomePaths {
  readonly root: string;
  readonly config: string;
  readonly rules: string;
  readonly hooks: string;
  /** Lists the hooks that aren't code hooks. */
  readonly hooksFile: string;
  readonly database: string;
  readonly bin: string;
  readonly run: string;
  readonly spool: string;
  readonly log: string;
  /** What setup changed in other programs' files, so that it can be undone. */
  readonly setup: string;
  readonly lock: string;
  readonly token: string;
  /** Info file of the running daemon. */
  readonly daemon: string;
  /** The last daemon's port. */
  readonly port: string;
  readonly machineId: string;
  /** Signs the history. */
  readonly machineKey: string;
  /** The newest place in the chain. */
  readonly chainHead: string;
  /** Hookline's program as of the last setup. */
  readonly program: string;
  /** The settings and rules that a person has confirmed. */
  readonly confirmed: string;
  /** Which projects are trusted. */
  readonly trust: string;
  /** Grants. */
  readonly grants: string;
  /** Hashes of script keys. */
  readonly scriptKeys: string;
  /** Paired devices, with hashes of their passes. */
  readonly devices: string;
  /** Certificates of the listener for devices. */
  readonly phone: string;
  /** Which hooks have ever denied something. */
  readonly guardHooks: string;
  /** Last good versions of rule and hook files. */
  readonly lastGood: string;
  /** Results of `doctor --live` per agent and version. */
  readonly live: string;
  /** Topics for notifications. Knowing one is enough to answer. */
  readonly channels: string;
  /** Start and end of away mode. */
  readonly away: string;
  /** The fleet that this machine is in. */
  readonly fleet: string;
  /** How far the history was sent to the fleet. */
  readonly fleetCursor: string;
  /** The last accepted policy of the fleet. */
  readonly fleetPolicy: string;
  /** The machines that can answer approvals here. */
  readonly fleetApprovers: string;
  /** V8's compile cache of the program, sealed with this machine's key. */
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
