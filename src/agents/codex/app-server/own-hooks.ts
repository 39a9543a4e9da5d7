import * as v from 'valibot';
import { parseForwarderCommand } from '../../setup/forwarder-command.ts';
import type { PARAMS } from './wire.ts';

/** The hooks of ours that the server runs in one folder. What they report needs no second report. */
export interface OwnHooks {
  /** Will our hook be called on this event, by the server's name of it? */
  run(eventName: string): boolean;
  /** Was this run one of ours? */
  has(run: HookRun): boolean;
}

export type HookRun = v.InferOutput<typeof PARAMS.hook>['run'];

const listed = v.looseObject({
  data: v.array(
    v.looseObject({
      hooks: v.array(
        v.looseObject({
          eventName: v.string(),
          command: v.nullish(v.string()),
          sourcePath: v.nullish(v.string()),
          displayOrder: v.nullish(v.number()),
          enabled: v.nullish(v.boolean(), true),
          trustStatus: v.nullish(v.string()),
        }),
      ),
    }),
  ),
});

const NONE: OwnHooks = { run: () => false, has: () => false };

/** Asks the server. Without an answer none are ours: an event reported twice is better than one not reported. */
export async function ownHooks(
  ask: (method: string, params: unknown) => Promise<unknown>,
  cwd: string | null,
): Promise<OwnHooks> {
  if (cwd === null) return NONE;
  const answer = await ask('hooks/list', { cwds: [cwd] }).catch(() => null);
  const parsed = v.safeParse(listed, answer);
  if (!parsed.success) return NONE;
  const ours = parsed.output.data
    .flatMap(({ hooks }) => hooks)
    .filter(({ command }) => command && parseForwarderCommand(command, 'codex') !== null);
  const active = new Set(
    ours
      // Untrusted hooks are silently skipped (0.166.0).
      .filter(({ enabled, trustStatus }) => enabled && /^(?:trusted|managed)$/.test(trustStatus ?? ''))
      .map(({ eventName }) => eventName),
  );
  return {
    run: (eventName) => active.has(eventName),
    has: (run) =>
      ours.some(
        (hook) =>
          hook.eventName === run.eventName &&
          hook.sourcePath === run.sourcePath &&
          hook.displayOrder === run.displayOrder,
      ),
  };
}
