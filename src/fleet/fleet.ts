import { messageOf } from '../model/errors.ts';
import { machineOf } from './machine.ts';
import type { FleetContext, FleetHome, OpenPart } from './part.ts';
import { openPolicyPart } from './policy/receive.ts';
import { openOutbox } from './record/outbox.ts';
import { type RunningPart, runPart } from './run-part.ts';
import { type KeptConnection, keepConnected } from './server/connection.ts';
import { readFleetSecrets, readFleetSettings } from './settings.ts';
import { teamNames } from './subjects.ts';

/** The output of `fleet status --json` and the API. */
type FleetStatus =
  | { readonly joined: false; readonly problem: string | null }
  | {
      readonly joined: true;
      readonly servers: readonly string[];
      readonly team: string;
      readonly machine: { readonly id: string; readonly name: string };
      readonly connected: boolean;
      /** When it entered this state. ISO 8601. */
      readonly since: string;
      /** The connected server. */
      readonly server: string | null;
      /** Why it is not connected. */
      readonly problem: string | null;
      /** By their names. */
      readonly parts: Readonly<Record<string, PartStatus>>;
    };

type PartStatus = { readonly problem: string | null } & Readonly<Record<string, unknown>>;

/** The fleet of a running daemon. */
export interface Fleet {
  status(): FleetStatus;
  /** Reads the settings again after the machine joined or left. Resolves once the old connection is closed. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

interface Joined {
  readonly context: FleetContext;
  readonly parts: readonly RunningPart[];
  readonly connection: KeptConnection;
}

const ALERT = 'fleet-settings';

/** Parts that run on every machine of a fleet. */
export const FLEET_PARTS: readonly OpenPart[] = [openOutbox, openPolicyPart];

/** Opens the fleet from the settings with these parts. Without settings it loads and does nothing. */
export function openFleet(home: FleetHome, openParts: readonly OpenPart[] = FLEET_PARTS): Fleet {
  let joined: Joined | null = null;
  let problem: string | null = null;
  let reloading: Promise<void> = Promise.resolve();
  let closed = false;

  function start(): void {
    try {
      joined = join(home, openParts);
      problem = null;
      home.alerts.clear(ALERT);
    } catch (error) {
      problem = messageOf(error);
      const fix = 'Run `hookline fleet join` again, or `hookline fleet leave`.';
      home.alerts.raise({
        code: ALERT,
        level: 'problem',
        message: `Not connected to the fleet: ${problem}`,
        fix,
      });
    }
  }

  async function leave(): Promise<void> {
    const left = joined;
    joined = null;
    await left?.connection.close();
    for (const { part } of left?.parts ?? []) part.close?.();
  }

  start();
  return {
    status: () => (joined ? statusOf(joined) : { joined: false, problem }),
    reload() {
      reloading = reloading.then(leave).then(() => {
        if (!closed) start();
      });
      return reloading;
    },
    async close() {
      closed = true;
      await reloading;
      await leave();
    },
  };
}

function join(home: FleetHome, openParts: readonly OpenPart[]): Joined | null {
  const settings = readFleetSettings(home.paths);
  if (settings === null) return null;
  const secrets = readFleetSecrets(home.paths, settings);
  const machine = machineOf(home.signer.publicKey(), settings.name);
  const context: FleetContext = { home, settings, machine, names: teamNames(settings.team) };
  const parts = openParts.map((open) => runPart(open(context), home.log));
  const connection = keepConnected({
    settings,
    secrets,
    work: async (session) => {
      await Promise.all(parts.map((part) => part.run(session)));
    },
  });
  return { context, parts, connection };
}

function statusOf({ context, parts, connection }: Joined): FleetStatus {
  const { settings, machine } = context;
  const state = connection.state();
  return {
    joined: true,
    servers: settings.servers,
    team: settings.team,
    machine: { id: machine.id, name: machine.name },
    connected: state.kind === 'connected',
    since: new Date(state.since).toISOString(),
    server: state.kind === 'connected' ? state.server : null,
    problem: state.kind === 'connecting' ? state.problem : null,
    parts: Object.fromEntries(
      parts.map(({ part, problem }) => [part.name, { ...part.status(), problem: problem() }]),
    ),
  };
}
