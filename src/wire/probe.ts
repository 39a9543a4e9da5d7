import type { NativeAnswer } from '../model/native.ts';

/** Sent by `doctor` on the path of calls. No agent has this name, so it can't be confused with a call. */
export const PROBE = { agent: 'hookline', event: 'probe' } as const;

/** Who answered a probe: the home's daemon, or the forwarder's fallback. */
export interface Probed {
  readonly by: 'daemon' | 'fallback';
  readonly pid: number;
  readonly version: string;
  readonly home: string;
}

export function isProbe({ agent, event }: { agent: string | null; event: string | null }): boolean {
  return agent === PROBE.agent && event === PROBE.event;
}

/** A probe is answered where a call would be evaluated. It isn't evaluated or recorded. */
export function probeAnswer(probed: Probed): NativeAnswer {
  return { action: 'json_output', stdout_json: { hookline: { ...probed } } };
}
