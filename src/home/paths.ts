import { join } from 'node:path';

import { homeFolder } from '../wire/home-folder.ts';

/** Where things are under `$HOOKLINE_HOME`. */
export interface HomePaths {
  readonly root: string;
  readonly config: string;
  readonly rules: string;
  readonly hooks: string;
  /** Names the hooks that are not written in code for us. */
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
  /** What the running daemon says of itself. */
  readonly daemon: string;
  /** The port that the last daemon had. */
  readonly port: string;
  readonly machineId: string;
  /** Signs the record. */
  readonly machineKey: string;
  /** The newest place in the chain of records. */
  readonly chainHead: string;
  /** What Hookline's program was when it was last set up. */
  readonly program: string;
  /** The settings and rules that a person has agreed to. */
  readonly confirmed: string;
  /** Which projects are trusted. */
  readonly trust: string;
  /** Grants. */
  readonly grants: string;
  /** Hashes of the keys with which scripts may decide. */
  readonly scriptKeys: string;
  /** Devices that were paired, with hashes of what they show. */
  readonly devices: string;
  /** The certificates of the listener for them. */
  readonly phone: string;
  /** Which hooks have ever denied something. */
  readonly guardHooks: string;
  /** What rule and hook files said when they could last be read. */
  readonly lastGood: string;
  /** What `doctor --live` found out about each agent, and with which version of it. */
  readonly live: string;
  /** Topics for notifications. Knowing one is enough to answer. */
  readonly channels: string;
  /** Start and end of away mode. */
  readonly away: string;
  /** The fleet that this machine is in. */
  readonly fleet: string;
  /** How far the record has reached the fleet. */
  readonly fleetCursor: string;
  /** The last policy of the fleet that was accepted. */
  readonly fleetPolicy: string;
  /** The machines that can answer approvals here. */
  readonly fleetApprovers: string;
  /** What V8 compiled of the program, sealed with the key of this machine. */
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
