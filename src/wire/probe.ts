import type { NativeAnswer } from '../model/native.ts';

/** What `doctor` sends the way that calls go: no agent has this name, so it cannot be taken for a call of one. */
export const PROBE = { agent: 'hookline', event: 'probe' } as const;

/** Who answered a probe: the daemon of the home, or the forwarder by itself. */
export interface Probed {
  readonly by: 'daemon' | 'fallback';
  readonly pid: number;
  readonly version: string;
  readonly home: string;
}

export function isProbe({ agent, event }: { agent: string | null; event: string | null }): boolean {
  return agent === PROBE.agent && event === PROBE.event;
}

/** A probe is answered where a call would be judged. It is not judged, and nothing is recorded. */
export function probeAnswer(probed: Probed): NativeAnswer {
  return { action: 'json_output', stdout_json: { hookline: { ...probed } } };
}
