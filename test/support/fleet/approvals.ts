import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerApproval, fetchApprovals } from '../../../src/client/approvals.ts';
import { connect } from '../../../src/client/client.ts';
import { addApprover } from '../../../src/fleet/approvals/approvers.ts';
import { openMessenger } from '../../../src/fleet/approvals/messenger.ts';
import { type Machine, machineOf } from '../../../src/fleet/machine.ts';
import type { FleetSecrets } from '../../../src/fleet/settings.ts';
import { type FleetSettings, NO_SECRETS, writeFleetSettings } from '../../../src/fleet/settings.ts';
import { teamNames } from '../../../src/fleet/subjects.ts';
import { machineSigner } from '../../../src/store/chain/machine-key.ts';
import { bashCall, scratchHome, until } from '../daemon/daemon.ts';
import { startWaiting } from '../notify/waiting.ts';
import { PATIENCE_MS } from '../until.ts';
import { openTestSession, type startServer, testSettings } from './nats.ts';

type Server = Pick<Awaited<ReturnType<typeof startServer>>, 'url'>;

/** A daemon of its own home in the team, with calls that can wait there. */
export async function startMachine(
  server: Server,
  name: string,
  { waitSeconds = 600, more = {}, secrets = NO_SECRETS }: MachineOptions = {},
) {
  const paths = scratchHome(`approvals: {hold: always, waitSeconds: ${waitSeconds}}\nhttp: {port: 0}\n`);
  writeFileSync(join(paths.rules, 'a.yaml'), 'rules: [{ id: ask-curl, command: curl, ask: Look first. }]\n');
  writeFleetSettings(paths, testSettings(server, { name, ...more }), secrets);
  const waiting = await startWaiting(paths);
  const { daemon } = waiting;
  const machine = machineOf(daemon.home.signer.publicKey(), name);
  const isConnected = () => {
    const status = daemon.fleet.status();
    return status.joined && status.connected;
  };
  await until(isConnected);
  const client = await connect(paths, PATIENCE_MS);
  if (client === null) throw new Error('no daemon');
  return {
    ...waiting,
    paths,
    machine,
    isConnected,
    /** Lets another machine answer approvals here. */
    lets(other: Pick<Machine, 'id' | 'name'>, only: 'deny' | 'once' = 'once') {
      addApprover(paths, { machine: other.id, name: other.name, only, addedBy: 'test' });
    },
    listed: async () => (await fetchApprovals(client)).pending,
    /** Waits until this machine lists it. */
    async sees(id: string) {
      await until(async () => (await fetchApprovals(client)).pending.some((one) => one.id === id));
    },
    async seesNot(id: string) {
      await until(async () => !(await fetchApprovals(client)).pending.some((one) => one.id === id));
    },
    answer: (id: string, decision: 'allow' | 'deny') =>
      answerApproval(client, id, { decision }, 'command line'),
    client,
  };
}

interface MachineOptions {
  readonly waitSeconds?: number;
  readonly more?: Partial<FleetSettings>;
  readonly secrets?: FleetSecrets;
}

/** A machine that says what it likes: a key and a connection. */
export async function openStranger(server: Server) {
  const signer = machineSigner(scratchHome(), () => {});
  const machine = machineOf(signer.publicKey(), 'stranger');
  const { nats } = await openTestSession(testSettings(server));
  const failed = (why: string) => {
    throw new Error(why);
  };
  const messenger = openMessenger({ nats }, { signer, machine, names: teamNames('test'), failed });
  return { machine, messenger, nats };
}

/** An agent of a machine wants to run a command. */
export async function runBash(
  { daemon }: Pick<Awaited<ReturnType<typeof startMachine>>, 'daemon'>,
  command: string,
): Promise<void> {
  await daemon.hub.call(bashCall(command));
}
