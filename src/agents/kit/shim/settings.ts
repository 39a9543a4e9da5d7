import { existsSync } from 'node:fs';
import type { NativeAnswer } from '../../../model/native.ts';
import { VERSION } from '../../../version.ts';
import { failClosedFile } from '../../../wire/fail-closed.ts';
import { forwarderPath } from '../../../wire/forwarder-settings.ts';
import { homeFolder } from '../../../wire/home-folder.ts';
import { socketPath } from '../../../wire/socket-path.ts';
import type { ShimSettings } from './core.ts';
import { type Instructions, instructionsIn } from './instructions.ts';

/** What a shim has to know of its agent. */
export interface ShimAgent {
  readonly id: string;
  readonly refusals: Readonly<Record<string, NativeAnswer>>;
  /** How long the client waits for us at most; null: as long as a person takes to answer. */
  readonly deadlineMs: number | null;
}

interface Installed {
  readonly home: string;
  readonly forwarder: string;
  readonly failClosed: boolean;
}

export function shimSettings(
  { id, refusals, deadlineMs }: ShimAgent,
  { home, forwarder, failClosed }: Installed,
): ShimSettings {
  const instructions = Object.entries(refusals).map(([event, answer]): [string, Instructions] => [
    event,
    instructionsIn(answer) ?? {},
  ]);
  return {
    agent: id,
    version: VERSION,
    home,
    socket: socketPath(home),
    forwarder,
    deadlineMs,
    failClosed,
    refusals: Object.fromEntries(instructions),
  };
}

/** For a shim that the client installed as a package, where setup has written nothing into it: what is on this machine. */
export function packagedSettings(agent: ShimAgent): ShimSettings {
  const home = homeFolder();
  const failClosed = existsSync(failClosedFile(home));
  return { ...shimSettings(agent, { home, forwarder: forwarderPath(home), failClosed }), packaged: true };
}
