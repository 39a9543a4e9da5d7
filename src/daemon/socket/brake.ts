import type { Socket } from 'node:net';

/** No client has this many open requests on one connection. */
export const MOST_UNANSWERED = 1_000;

/** Pauses reading from a connection while there is a reason. */
export interface Brake {
  hold(): void;
  release(): void;
  /** Called for each request. Returns what to call once it is answered. */
  asked(): () => void;
  /** Limits unread replies: pauses reading until the other end has read them. */
  send(text: string): void;
}

type Connection = Pick<Socket, 'pause' | 'resume' | 'write' | 'writable' | 'once'>;

export function createBrake(socket: Connection): Brake {
  let reasons = 0;
  let unanswered = 0;
  let isUnread = false;
  const hold = () => {
    reasons += 1;
    if (reasons === 1) socket.pause();
  };
  const release = () => {
    reasons -= 1;
    if (reasons === 0) socket.resume();
  };
  const answered = () => {
    if (unanswered === MOST_UNANSWERED) release();
    unanswered -= 1;
  };
  return {
    hold,
    release,
    asked() {
      unanswered += 1;
      if (unanswered === MOST_UNANSWERED) hold();
      return answered;
    },
    send(text) {
      if (!socket.writable || socket.write(text) || isUnread) return;
      isUnread = true;
      hold();
      socket.once('drain', () => {
        isUnread = false;
        release();
      });
    },
  };
}
