import { HooklineError, messageOf } from '../model/errors.ts';
import { ensureAuditStream } from './record/audit-stream.ts';
import { openConnection } from './server/connection.ts';
import { needsTls } from './server/servers.ts';
import type { FleetSecrets, FleetSettings } from './settings.ts';

/** Tries the server before anything is stored: logs in, and creates or finds the team's stream. */
export async function tryFleet(settings: FleetSettings, secrets: FleetSecrets): Promise<void> {
  const where = settings.servers.join(', ');
  try {
    const session = await openConnection(settings, secrets);
    try {
      await ensureAuditStream(session, settings);
    } finally {
      await session.nats.close();
    }
  } catch (error) {
    throw new HooklineError('FLEET_UNREACHABLE', `Can't use ${where}: ${messageOf(error)}.`, {
      cause: error,
      hint: hintFor(messageOf(error), settings),
    });
  }
}

function hintFor(why: string, { servers, plaintext, login }: FleetSettings): string {
  if (/'tls'|certificate|self.signed/i.test(why))
    return needsTls(servers) && !plaintext
      ? 'Connections to another machine need TLS. Pass --ca for your own authority, or --plaintext on a network that you trust.'
      : 'Pass --ca for your own authority.';
  if (/not for this machine|permissions violation/i.test(why))
    return 'Run `hookline fleet rights machine` here, and add the rights it prints to the login.';
  if (/authorization|authentication|credential|user/i.test(why))
    return login === 'none'
      ? 'Log in with --creds or --token.'
      : 'Ask the server administrator for credentials with JetStream.';
  if (/jetstream/i.test(why)) return 'Start the server with JetStream: `nats-server -js`.';
  return 'Check the address and that the server is running. Pass --offline to join without a connection.';
}
