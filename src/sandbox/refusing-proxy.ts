import { listenOnLoopback } from './loopback-server.ts';

/** A proxy that records every requested host and rejects the request. */
export interface RefusingProxy {
  readonly url: string;
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

/** Enough to recognize a client that asks repeatedly, or for very long names. */
const MOST_WANTED = 200;
const LONGEST = 200;

export async function startRefusingProxy(): Promise<RefusingProxy> {
  const { server, url, close } = await listenOnLoopback();
  const wanted: string[] = [];
  const note = (what: string) => {
    if (wanted.length < MOST_WANTED) wanted.push(what.slice(0, LONGEST));
  };
  server.on('connect', (request, socket) => {
    note(`CONNECT ${request.url}`);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.on('request', (request, response) => {
    note(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  return { url, wanted, close };
}
