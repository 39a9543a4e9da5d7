import { listenOnLoopback } from './loopback-server.ts';

/** Stands in for the rest of the world: writes down every host a client wanted, and refuses it. */
export interface RefusingProxy {
  readonly url: string;
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

/** A client that asks again and again, or for very long names, is known by then. */
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
