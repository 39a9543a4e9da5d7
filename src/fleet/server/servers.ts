import { HooklineError } from '../../model/errors.ts';
import { isLoopback } from '../../platform/loopback.ts';

const DEFAULT_PORT = '4222';

/** Server addresses, separated by commas. */
export function parseServers(given: string): readonly string[] {
  const servers = given
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map(parseServer);
  if (servers.length === 0) throw refused(given, 'it is empty');
  return servers;
}

function parseServer(given: string): string {
  const text = given.includes('://') ? given : `nats://${given}`;
  if (!URL.canParse(text)) throw refused(given, 'it is not an address');
  const { protocol, hostname, port, username, password, pathname } = new URL(text);
  if (protocol !== 'nats:' && protocol !== 'tls:') throw refused(given, `${protocol}// is not supported`);
  if (username || password)
    throw new HooklineError('USAGE', 'A password in the address would be shown and logged.', {
      hint: 'Pass --user, and the password in HOOKLINE_FLEET_TOKEN or with --token -.',
    });
  if (hostname === '' || (pathname !== '' && pathname !== '/')) throw refused(given, 'it is not an address');
  return `${protocol}//${hostname}:${port || DEFAULT_PORT}`;
}

function refused(given: string, why: string): HooklineError {
  return new HooklineError('USAGE', `Invalid server address "${given}": ${why}.`, {
    hint: 'Use an address such as nats://127.0.0.1:4222 or tls://nats.example.com:4222; separate several with commas.',
  });
}

/** True if the connection leaves this machine, or TLS was requested. */
export function needsTls(servers: readonly string[]): boolean {
  return servers.some((server) => {
    const { protocol, hostname } = new URL(server);
    return protocol === 'tls:' || !isLoopback(hostname);
  });
}
