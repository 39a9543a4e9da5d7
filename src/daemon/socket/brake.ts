import type { Socket } from 'node:net';

/** No client has as many questions open on one connection. */
export const MOST_UNANSWERED = 1_000;

/** Reads nothing more of a connection as long as there is a reason not to. */
export interface Brake {
  hold(): void;
  release(): void;
  /** For a question that came in. Gives what to call once it is answered. */
  asked(): () => void;
  /** Replies that the other end does not read stay few: it is not heard before it has read them. */
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
