import { onTestFinished, type TestAPI, test } from 'vitest';
import { type AuditItem, readMessage } from '../../../src/fleet/record/message.ts';
import { readStreamMessages } from '../../../src/fleet/record/read-stream.ts';
import { openConnection } from '../../../src/fleet/server/connection.ts';
import { type FleetSettings, NO_SECRETS } from '../../../src/fleet/settings.ts';
import { teamNames } from '../../../src/fleet/subjects.ts';
import { scratchFolder } from '../scratch.ts';
import { freePort, runServer, serverProgram, type TestServer } from './server.ts';

/** `test`, skipped where there is no server. */
export const testWithServer: ReturnType<TestAPI['skipIf']> = test.skipIf(serverProgram === undefined);

/**
 * A real server on loopback, with JetStream in a folder that goes away with the test.
 *
 * @param config more lines of its configuration: `authorization {token: x}`
 */
export async function startServer(config = '', name = 'one', port?: number): Promise<TestServer> {
  const server = await runServer({
    folder: scratchFolder(),
    name,
    port: port ?? (await freePort()),
    config,
  });
  onTestFinished(server.kill);
  return server;
}

export function testSettings(
  server: Pick<TestServer, 'url'>,
  more: Partial<FleetSettings> = {},
): FleetSettings {
  return {
    servers: [server.url],
    team: 'test',
    name: 'tester',
    login: 'none',
    user: null,
    ownAuthority: false,
    plaintext: false,
    replicas: 1,
    after: 0,
    groups: [],
    policyKey: null,
    ...more,
  };
}

/** Another client of the server, closed with the test. */
export async function openTestSession(settings: FleetSettings, secrets: typeof NO_SECRETS = NO_SECRETS) {
  const session = await openConnection(settings, secrets);
  onTestFinished(() => session.nats.close());
  return session;
}

/** A message of the audit stream. */
interface ReadMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly id: string;
  readonly item: AuditItem | null;
}

/** All that the stream of a team has, in its order. */
export async function readStream(settings: FleetSettings): Promise<readonly ReadMessage[]> {
  const { auditStream, audit } = teamNames(settings.team);
  const session = await openConnection(settings, NO_SECRETS);
  try {
    const messages: ReadMessage[] = [];
    for await (const one of readStreamMessages(session, { stream: auditStream, subject: audit })) {
      const id = one.headers?.get('Nats-Msg-Id') ?? '';
      messages.push({ subject: one.subject, sequence: one.seq, id, item: readMessage(one) });
    }
    return messages;
  } finally {
    await session.nats.close();
  }
}

/** Ids of the records in the stream, in its order. */
export function recordIds(messages: readonly ReadMessage[]): readonly string[] {
  return messages.flatMap(({ id, item }) => (item?.kind === 'record' ? [id] : []));
}
