import { isMachineId } from '../machine.ts';
import { machineInSubject, type TeamNames } from '../subjects.ts';
import type { FleetSession } from './connection.ts';

/** How full the team's stream is, and with whose messages. */
export interface StreamUsage {
  readonly messages: number;
  readonly bytes: number;
  /** Limit in bytes; null for none. */
  readonly most: number | null;
  /** Most messages first. */
  readonly machines: readonly { readonly machine: string; readonly messages: number }[];
}

/** Shows a flood, because a machine's permissions restrict the subjects that it writes to. */
export async function streamUsage(
  { jsm }: Pick<FleetSession, 'jsm'>,
  { auditStream, audit }: Pick<TeamNames, 'auditStream' | 'audit'>,
): Promise<StreamUsage> {
  const { state, config } = await jsm.streams.info(auditStream, { subjects_filter: audit });
  const sent = new Map<string, number>();
  for (const [subject, count] of Object.entries(state.subjects ?? {})) {
    const named = machineInSubject(subject);
    const machine = isMachineId(named) ? named : 'unknown';
    sent.set(machine, (sent.get(machine) ?? 0) + count);
  }
  return {
    messages: state.messages,
    bytes: state.bytes,
    most: config.max_bytes > 0 ? config.max_bytes : null,
    machines: [...sent]
      .map(([machine, messages]) => ({ machine, messages }))
      .sort((a, b) => b.messages - a.messages),
  };
}
