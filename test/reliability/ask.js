// One call on a connection of its own, as forwarders make them.
import { connect } from 'node:net';

/** As long as a forwarder waits for the first line of an answer. */
const ANSWER_MS = 5_000;

/**
 * Sends a line and gives what came back for that id; null when there was no answer.
 *
 * @param {string} socketFile
 * @param {string} id
 * @param {string | Uint8Array} line
 * @returns {Promise<any>}
 */
export function ask(socketFile, id, line, ms = ANSWER_MS) {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    const chunks = [];
    const finish = (answer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(null), ms);
    socket.on('error', () => finish(null));
    socket.on('close', () => finish(null));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunk.at(-1) !== 10) return;
      const reply = read(Buffer.concat(chunks).toString());
      if (reply?.hold_ms === undefined) finish(reply?.request_id === id || id === '' ? reply : null);
    });
    socket.write(line);
  });
}

/** The last line: those before it only say that it takes longer. */
function read(text) {
  try {
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  } catch {
    return null;
  }
}

/** Whether a daemon listens and answers. What it answers is an error: this is not a call that is recorded. */
export async function isAnswering(socketFile) {
  return (await ask(socketFile, '', '{"request_id":"are-you-there"}\n', 500)) !== null;
}
