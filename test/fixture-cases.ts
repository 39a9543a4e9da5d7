import { readdirSync, readFileSync } from 'node:fs';
import { AGENTS } from '../src/agents/_registry.ts';
import type { Agent } from '../src/agents/agent.ts';
import type { HookEvent } from '../src/model/events.ts';
import { allow, ask, deny, type HookResponse, none } from '../src/model/responses.ts';
import type { Database } from '../src/store/database/driver.ts';
import { createRecorder } from '../src/store/record/recorder.ts';
import { call } from './support/store/store.ts';

export interface FixtureCase {
  /** `<agent> <native event>/<case>` */
  readonly name: string;
  readonly agent: Agent;
  readonly event: HookEvent;
}

/** Every payload that was captured of any agent, each as an event of a session of its own. */
export function fixtureCases(): readonly FixtureCase[] {
  return [...AGENTS.values()].flatMap((agent) => {
    const folder = new URL(`../src/agents/${agent.id}/fixtures/`, import.meta.url);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('in.json'))
      .sort()
      .map((file): FixtureCase => {
        const name = `${agent.id} ${file.replaceAll('\\', '/').replace('/in.json', '')}`;
        const payload: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
        const event = agent.decode({
          id: name,
          receivedAt: 1_763_164_800_000,
          event: file.split(/[\\/]/)[0] ?? null,
          payload,
          env: {},
        });
        return { name, agent, event: { ...event, sessionId: name } };
      });
  });
}

const RESPONSES: readonly HookResponse[] = [none(), allow('Fine.'), deny('No.'), ask('Sure?')];

interface RecordedFixture {
  readonly session: string;
  readonly event: HookEvent;
}

/** A session for each fixture and each answer to it, decided by one rule, as the engine records it. */
export function recordFixtures(
  db: Database,
  responses: readonly HookResponse[] = RESPONSES,
): readonly RecordedFixture[] {
  // There are hundreds, and nothing is lost with them.
  db.exec('PRAGMA synchronous = OFF');
  const recorder = createRecorder(db, { redact: (text) => text });
  return fixtureCases().flatMap(({ name, agent, event }) =>
    responses.map((response) => {
      const session = `${name} ${response.decision}`;
      const placed = recorder.place({
        ...event,
        id: session,
        sessionId: session,
        cwd: '/work/shop',
        projectId: '/work/shop',
      });
      const { answer, degraded } = agent.encode(placed, response, {});
      const opinion = { kind: 'rule', by: 'my-rule', where: null, response } as const;
      const opinions = response.decision === 'none' ? [] : [opinion];
      recorder.commit(call(placed, { response, answer, degraded, opinions }));
      return { session, event: placed };
    }),
  );
}
