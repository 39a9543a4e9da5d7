import { join } from 'node:path';
import { isObject } from '../model/json.ts';
import type { NativeAnswer } from '../model/native.ts';
import { readRegularText } from '../platform/bounded-files.ts';
import { forwarderSettingsFile } from './forwarder-settings.ts';
import { readAnswer } from './reply.ts';

/** Answers to guarded events that couldn't be evaluated, by agent and native event. */
type Refusals = Readonly<Record<string, Readonly<Record<string, NativeAnswer>>>>;

/** The failure settings in both forwarder files. */
export interface FailureSettings {
  readonly failure: 'open' | 'closed';
  /** Only in failure mode closed. */
  readonly refusals?: Refusals;
}

/** Exists in failure mode closed. Repeats the settings of `forwarder.json`, in case that file is lost. */
export function failClosedFile(home: string): string {
  return join(home, 'bin', 'fail-closed.json');
}

/** The answer to an event that couldn't be evaluated; null in failure mode open, or if the event isn't guarded. */
export function readRefusal(home: string, agent: string, event: string): NativeAnswer | null {
  const settings = readFailure(home);
  if (settings?.failure !== 'closed') return null;
  const answer = fieldOf(fieldOf(settings.refusals, agent), event);
  return isObject(answer) ? readAnswer(answer) : null;
}

/** The failure settings; null if neither file has them any more. */
export function readFailure(home: string): Readonly<Record<string, unknown>> | null {
  const files = [forwarderSettingsFile(home), failClosedFile(home)].map(readObject);
  return files.find(({ failure }) => typeof failure === 'string') ?? null;
}

function fieldOf(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

function readObject(file: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(readRegularText(file));
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}
