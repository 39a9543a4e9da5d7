import { inspectForwarder } from '../forwarder/install.ts';
import { type ForwarderKind, forwarderKind } from '../forwarder/native-program.ts';
import type { Config } from '../home/config.ts';
import type { HomePaths } from '../home/paths.ts';
import { timeTaken } from '../model/text.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import { probeForwarder } from './doctor/probe.ts';
import { forwarderSource } from './forwarder-source.ts';
import { typedHere } from './program.ts';

/** The forwarder that agents call on this machine, and what a call costs. */
export interface ForwarderInUse {
  readonly kind: ForwarderKind;
  readonly path: string;
  /** Time of a call without rules, from the start of the forwarder to its end; null if no daemon answers. */
  readonly callMs: number | null;
  /** How to make calls faster; null if there is no way. */
  readonly fix: string | null;
}

/** Several, so that one slow start on a busy machine doesn't count. */
const PROBES = 3;

/**
 * Null if there is no forwarder. Without a daemon nothing is measured, because each call would take as long as starting
 * one.
 */
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

/** The median of sequential calls, as an agent makes them. */
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

/** A sentence, or empty if nothing was measured. */
export function costText({ callMs }: ForwarderInUse): string {
  return callMs === null ? '' : `It takes ${timeTaken(callMs)} per call, without rules.`;
}

/** `native, 2.1 ms per call without rules`. */
export function forwarderText({ kind, callMs }: ForwarderInUse): string {
  const name = kind === 'native' ? 'native' : 'JavaScript';
  return callMs === null ? name : `${name}, ${timeTaken(callMs)} per call without rules`;
}

/** Why calls are slow, and what to do; null if they aren't. */
export function slowText({ fix }: ForwarderInUse): string | null {
  return fix === null
    ? null
    : `Calls are slow because the forwarder starts Node for each one. ${typedHere(fix)}`;
}
