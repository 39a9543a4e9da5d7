import { inspectForwarder } from '../forwarder/install.ts';
import { type ForwarderKind, forwarderKind } from '../forwarder/native-program.ts';
import type { Config } from '../home/config.ts';
import type { HomePaths } from '../home/paths.ts';
import { timeTaken } from '../model/text.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import { probeForwarder } from './doctor/probe.ts';
import { forwarderSource } from './forwarder-source.ts';
import { typedHere } from './program.ts';

/** What agents call on this machine, and what that costs them. */
export interface ForwarderInUse {
  readonly kind: ForwarderKind;
  readonly path: string;
  /** What a call takes from the start of the forwarder to its end, without rules; null where no daemon answers. */
  readonly callMs: number | null;
  /** What to do for calls that cost less; null where nothing does. */
  readonly fix: string | null;
}

/** One that starts late, because the machine is busy, does not count. */
const PROBES = 3;

/** Null where there is none. Without a daemon nothing is measured: each call would take as long as the start of one. */
export async function forwarderInUse(
  { root }: HomePaths,
  config: Config,
  hasDaemon: boolean,
): Promise<ForwarderInUse | null> {
  const path = forwarderPath(root);
  const kind = forwarderKind(path);
  if (kind === null) return null;
  const callMs = hasDaemon ? await measuredCall(root) : null;
  const fix = kind === 'node' ? inspectForwarder(root, forwarderSource(config)).fix : null;
  return { kind, path, callMs, fix };
}

/** The median. One after the other, as an agent makes them. */
async function measuredCall(home: string): Promise<number | null> {
  const times: number[] = [];
  while (times.length < PROBES) {
    const result = await probeForwarder(home);
    if ('problem' in result || result.probed.by !== 'daemon') return null;
    times.push(result.ms);
  }
  const middle = times.sort((a, b) => a - b)[Math.floor(PROBES / 2)];
  return middle === undefined ? null : Math.round(middle * 100) / 100;
}

/** A sentence, or nothing where nothing was measured. */
export function costText({ callMs }: ForwarderInUse): string {
  return callMs === null ? '' : `It takes ${timeTaken(callMs)} per call, without rules.`;
}

/** `native, 2.1 ms per call without rules`. */
export function forwarderText({ kind, callMs }: ForwarderInUse): string {
  const name = kind === 'native' ? 'native' : 'JavaScript';
  return callMs === null ? name : `${name}, ${timeTaken(callMs)} per call without rules`;
}

/** What makes calls slow, and what to do; null where nothing does. */
export function slowText({ fix }: ForwarderInUse): string | null {
  return fix === null
    ? null
    : `Calls are slow because the forwarder starts Node for each one. ${typedHere(fix)}`;
}
