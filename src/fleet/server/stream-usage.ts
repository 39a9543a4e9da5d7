import { isMachineId } from '../machine.ts';
import { machineInSubject, type TeamNames } from '../subjects.ts';
import type { FleetSession } from './connection.ts';

/** How full the stream of the team is, and with whose messages. */
export interface StreamUsage {
  readonly messages: number;
  readonly bytes: number;
  /** Bytes that it takes; null without a limit. */
  readonly most: number | null;
  /** Those with the most messages first. */
  readonly machines: readonly { readonly machine: string; readonly messages: number }[];
}

/** A flood shows here: the rights of a machine say under which subjects it writes. */
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
