import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import * as v from 'valibot';
import type { Machine } from '../machine.ts';
import type { FleetHome } from '../part.ts';
import type { FleetPaths } from '../paths.ts';
import { shownText } from '../shown-text.ts';
import { selfMessage } from './messages.ts';
import type { Messenger } from './messenger.ts';

const ALERT = 'fleet-copied-home';
const LONGEST_PLACE = 200;

/** Detects another home that sends as this machine. A copied home has the same key. */
export interface CopiedHomeWatch {
  /** Location of the other home; null if none is known. */
  copy(): string | null;
  /** Announces this home to others with the same key, and listens to them. */
  follow(messenger: Messenger): void;
}

interface Watching {
  readonly home: Pick<FleetHome, 'alerts'> & { readonly paths: Pick<FleetPaths, 'root'> };
  readonly machine: Pick<Machine, 'id'>;
}

export function watchCopiedHome({ home, machine }: Watching): CopiedHomeWatch {
  const nonce = randomBytes(16).toString('hex');
  const greeted = new Set<string>();
  let copy: string | null = null;
  const greet = (messenger: Messenger) =>
    messenger.send('hello', machine.id, { nonce, host: hostname(), home: home.paths.root });

  /** Replies once, so that the other one knows too. */
  function found(messenger: Messenger, other: v.InferOutput<typeof selfMessage>): void {
    copy = shownText(`${other.home} on ${other.host}`, LONGEST_PLACE);
    home.alerts.clear(ALERT);
    home.alerts.raise({
      code: ALERT,
      level: 'problem',
      message: `Another home sends to the fleet as this machine: ${copy}.`,
      fix: 'Run `hookline fleet leave` in the copy, and start it with a new home.',
    });
    if (greeted.has(other.nonce)) return;
    greeted.add(other.nonce);
    greet(messenger);
  }

  return {
    copy: () => copy,
    follow(messenger) {
      messenger.listen('hello', machine.id, (from, body) => {
        // Only this key can send that.
        if (from !== machine.id || !v.is(selfMessage, body) || body.nonce === nonce) return;
        found(messenger, body);
      });
      greet(messenger);
    },
  };
}
