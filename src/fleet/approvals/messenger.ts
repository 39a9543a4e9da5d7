import type { Msg } from '@nats-io/transport-node';
import { messageOf } from '../../model/errors.ts';
import type { MachineSigner } from '../../store/chain/chain.ts';
import type { Machine } from '../machine.ts';
import type { FleetSession } from '../server/connection.ts';
import type { TeamNames } from '../subjects.ts';
import { createAllowance } from './allowance.ts';
import { readSignedMessage, signMessage } from './signed-message.ts';

/** All machines of the team. Distinct from any machine ID. */
export const ALL = 'all';

/**
 * What machines tell each other about approvals.
 *
 * - `hello` to all: this machine starts, and requests the approvals it can answer
 * - `hello` to itself: another home with the same key hears it
 * - `who` to all, `here` to who asked: the names of machines
 * - `pending`, `ended` to machines that can answer: pending approvals, and those that ended
 * - `answer` to where it waits, `verdict` back
 */
type Kind = 'hello' | 'who' | 'here' | 'pending' | 'ended' | 'answer' | 'verdict';

/** Signed messages between the machines of a team. They aren't stored, so an offline machine doesn't get them. */
export interface Messenger {
  /** Hands the message to the connection. False if the connection takes nothing, or nothing this large. */
  send(kind: Kind, to: string, body: unknown): boolean;
  /**
   * Calls back for each message, in the order of one connection.
   * @param forged called for a message that the named machine hasn't signed
   */
  listen(
    kind: Kind,
    to: string,
    hear: (from: string, body: unknown) => void,
    forged?: (from: string) => void,
  ): void;
  /** Stops listening. The connection stays open. */
  close(): void;
}

interface MessengerParts {
  readonly signer: MachineSigner;
  readonly machine: Machine;
  readonly names: TeamNames;
  /** The server doesn't permit listening. */
  failed(why: string): void;
  /** This machine sends without pause. Called once; after that, nothing is received. */
  flooded?(from: string): void;
}

/** For headers, and what the server adds. */
const SPARE_BYTES = 4 << 10;
const DEFAULT_MOST = 1 << 20;

export function openMessenger({ nats }: Pick<FleetSession, 'nats'>, parts: MessengerParts): Messenger {
  const { signer, machine, names, failed, flooded = () => {} } = parts;
  const listening: { unsubscribe(): void }[] = [];
  const allowance = createAllowance();
  let isOver = false;
  const stop = () => {
    isOver = true;
    if (!nats.isClosed()) for (const one of listening) one.unsubscribe();
  };
  return {
    send(kind, to, body) {
      const subject = names.approval(machine.id, kind, to);
      const text = signMessage(signer, subject, body);
      const most = (nats.info?.max_payload ?? DEFAULT_MOST) - SPARE_BYTES;
      if (nats.isClosed() || Buffer.byteLength(text) > most) return false;
      nats.publish(subject, text);
      return true;
    },
    listen(kind, to, hear, forged = () => {}) {
      const subject = names.approval('*', kind, to);
      const place = subject.split('.').indexOf('*');
      const take = (message: Pick<Msg, 'subject' | 'string' | 'data'>) => {
        const from = message.subject.split('.')[place] ?? '';
        const outcome = isOver ? 'pass over' : allowance.take(from, message.data.length);
        if (outcome === 'flood') {
          stop();
          flooded(from);
        }
        if (outcome !== 'read') return;
        // Uses the subscribed subject, because a delivered message may carry another one.
        const said = readSignedMessage(from, names.approval(from, kind, to), message.string());
        if (said === null) forged(from);
        else hear(from, said.body);
      };
      const subscription = nats.subscribe(subject, {
        callback(error, message) {
          if (error) return failed(messageOf(error));
          // An error here would end reading on the whole connection.
          try {
            take(message);
          } catch (thrown) {
            failed(messageOf(thrown));
          }
        },
      });
      listening.push(subscription);
    },
    close: stop,
  };
}
