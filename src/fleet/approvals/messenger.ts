import type { Msg } from '@nats-io/transport-node';
import { messageOf } from '../../model/errors.ts';
import type { MachineSigner } from '../../store/chain/chain.ts';
import type { Machine } from '../machine.ts';
import type { FleetSession } from '../server/connection.ts';
import type { TeamNames } from '../subjects.ts';
import { createAllowance } from './allowance.ts';
import { readSignedMessage, signMessage } from './signed-message.ts';

/** Every machine of the team. No machine's id is like that. */
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

/** Signed messages between the machines of a team. They are kept nowhere: who is not there does not get them. */
export interface Messenger {
  /** Gives it to the connection. False where that takes nothing, or nothing so large. */
  send(kind: Kind, to: string, body: unknown): boolean;
  /**
   * Calls for each that comes, in the order of one connection.
   *
   * @param forged called for one that the machine which it names has not signed
   */
  listen(
    kind: Kind,
    to: string,
    hear: (from: string, body: unknown) => void,
    forged?: (from: string) => void,
  ): void;
  /** Listens to nothing any more. The connection stays. */
  close(): void;
}

interface MessengerParts {
  readonly signer: MachineSigner;
  readonly machine: Machine;
  readonly names: TeamNames;
  /** The server does not let it listen. */
  failed(why: string): void;
  /** This machine sends without end. Called once, and nothing is listened to any more. */
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
        // By the subject that was listened to: what a server delivers there may carry another one.
        const said = readSignedMessage(from, names.approval(from, kind, to), message.string());
        if (said === null) forged(from);
        else hear(from, said.body);
      };
      const subscription = nats.subscribe(subject, {
        callback(error, message) {
          if (error) return failed(messageOf(error));
          // What is thrown here would end the reading of the whole connection.
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
