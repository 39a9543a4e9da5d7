import { onTestFinished } from 'vitest';
import { type ArchiveEntry, archiveEntryOf } from '../../../src/fleet/archive/entry.ts';
import { openFleet } from '../../../src/fleet/fleet.ts';
import { machineOf } from '../../../src/fleet/machine.ts';
import { openLocalRecord } from '../../../src/fleet/record/local-record.ts';
import { type AuditMessage, recordMessage } from '../../../src/fleet/record/message.ts';
import { type FleetSettings, NO_SECRETS, writeFleetSettings } from '../../../src/fleet/settings.ts';
import { teamNames } from '../../../src/fleet/subjects.ts';
import { type OpenHome, openHome } from '../../../src/home/open.ts';
import type { HookEvent } from '../../../src/model/events.ts';
import type { CallRecord } from '../../../src/model/recording.ts';
import { scratchHome, until } from '../daemon/daemon.ts';
import { beforeTool, call } from '../store/store.ts';

let made = 0;

/** A home that records, as a daemon has it. */
interface TestMachine {
  readonly home: OpenHome;
  readonly id: string;
  /** Records calls, and gives their ids in order. */
  record(count: number, session?: string, command?: string): readonly string[];
  /** Records one event. */
  note(event: HookEvent, more?: Partial<CallRecord>): string;
  /** All its records as messages. */
  messages(): Promise<readonly AuditMessage[]>;
  /** In this fleet from now on. */
  join(settings: FleetSettings, password?: string): { allSent(): Promise<unknown> };
}

export function testMachine(): TestMachine {
  const home = openHome(scratchHome());
  if (home === null) throw new Error('the home is taken');
  onTestFinished(home.close);
  const machine = machineOf(home.signer.publicKey(), 'tester');
  const names = teamNames('test');
  const note: TestMachine['note'] = (event, more) => {
    made += 1;
    const placed = { ...home.recorder.place(event), id: `call-${made}` };
    home.recorder.commit(call(placed, more));
    return placed.id;
  };
  return {
    home,
    id: machine.id,
    note,
    record: (count, session = 's1', command = 'ls') =>
      Array.from({ length: count }, () => note(beforeTool(command, null, session))),
    messages: () =>
      Promise.all(
        openLocalRecord(home.db, machine, names)
          .after({ link: 0, hash: '' }, 10_000)
          .map((one) => recordMessage(one, machine.id, names, 1 << 20)),
      ),
    join(settings, login) {
      writeFleetSettings(home.paths, settings, login === undefined ? NO_SECRETS : { login, authority: null });
      const fleet = openFleet(home);
      onTestFinished(() => fleet.close());
      const waiting = () => {
        const status = fleet.status();
        return status.joined ? status.parts.audit?.waiting : undefined;
      };
      return { allSent: () => until(() => waiting() === 0) };
    },
  };
}

/** As it comes out of the stream. */
export function received({ subject, body, headers }: AuditMessage, seq = 1): ArchiveEntry {
  const get = (name: string) => headers[name] ?? '';
  return archiveEntryOf({ seq, subject, data: body, headers: { get } });
}
