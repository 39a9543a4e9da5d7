import { listenOnLoopback } from './loopback-server.ts';

/** Stands in for the rest of the world: writes down every host a client wanted, and refuses it. */
export interface RefusingProxy {
  readonly url: string;
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

export async function startRefusingProxy(): Promise<RefusingProxy> {
  const { server, url, close } = await listenOnLoopback();
  const wanted: string[] = [];
  server.on('connect', (request, socket) => {
    wanted.push(`CONNECT ${request.url}`);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.on('request', (request, response) => {
    wanted.push(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  return { url, wanted, close };
}
