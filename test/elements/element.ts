import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import type { Agent } from '../../src/agents/agent.ts';
import { agentOf } from '../../src/daemon/caller.ts';
import { observationsOf } from '../../src/history/observations/extract.ts';
import type { HookEvent } from '../../src/model/events.ts';
import type { Degradation, HookResponse } from '../../src/model/responses.ts';

/** One element of a format that hooks, dispatchers or observers are written in (a field, a value, a rule), and proof. */
export type Element = readonly [element: string, shown: () => void];

export type Json = Readonly<Record<string, unknown>>;

const root = new URL('../../', import.meta.url);

/** Shown by a test elsewhere, which needs more than a row: a daemon, a store, a process. */
export function shownBy(file: string, title: string): () => void {
  return () => expect(hasTest(file, title), `${file} has no test “${title}”`).toBe(true);
}

export function hasTest(file: string, title: string): boolean {
  const path = new URL(file, root);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return [`'${title}',`, `"${title}",`, `\`${title}\`,`].some((quoted) => text.includes(quoted));
}

/** What every payload has. */
const BASE: Json = { session_id: 's1', transcript_path: '/t.jsonl', cwd: '/p' };

const agentNamed = (id: string): Agent => {
  const agent = AGENTS.get(id);
  if (!agent) throw new Error(`There is no agent ${id}.`);
  return agent;
};

function decoded(agent: Agent, payload: Json, event: string | null = null): HookEvent {
  return agent.decode({ id: 'c1', receivedAt: 1_700_000_000_000, event, payload, env: {} });
}

/** The payload of an event becomes this. */
export function received(id: string, payload: Json, expected: Json): () => void {
  return () => expect(decoded(agentNamed(id), { ...BASE, ...payload })).toMatchObject(expected);
}

/** A message of Codex's app-server becomes this. */
export function notified(method: string, params: Json, expected: Json): () => void {
  return () => expect(decoded(agentNamed('codex'), { method, params })).toMatchObject(expected);
}

/** What a dispatcher script wraps becomes this. */
export function wrapped(wrapper: {
  readonly source?: string;
  readonly hook_type: string;
  readonly input_data: Json;
}) {
  const { source, hook_type, input_data } = wrapper;
  return (expected: Json) => () => {
    const agent = agentOf({ source: source ?? null, event: hook_type });
    if (!agent) throw new Error(`There is no agent for ${source}.`);
    const payload = agent.dispatcher?.payload?.(input_data, source ?? '') ?? input_data;
    expect(decoded(agent, Object(payload), hook_type)).toMatchObject({ source: agent.id, ...expected });
  };
}

interface Answer {
  readonly body?: Json;
  readonly stderr?: string;
  readonly degraded?: readonly Degradation['effect'][];
}

/** A response to an event is put this way to the agent; without a body it is silence. */
export function answered(id: string, payload: Json, response: HookResponse, expected: Answer): () => void {
  return () => {
    const agent = agentNamed(id);
    const { answer, degraded } = agent.encode(decoded(agent, { ...BASE, ...payload }), response, {});
    if (expected.stderr !== undefined) expect(answer).toMatchObject({ stderr: expected.stderr });
    else if (expected.body === undefined) expect(Object.keys(bodyOf(answer))).toEqual([]);
    else expect(bodyOf(answer)).toMatchObject(expected.body);
    expect(degraded.map(({ effect }) => effect)).toEqual(expected.degraded ?? []);
  };
}

const bodyOf = (answer: ReturnType<Agent['encode']>['answer']): Json =>
  answer.action === 'json_output' ? answer.stdout_json : {};

/** What a hook in the words of this agent does means this. */
export function heard(
  id: string,
  payload: Json,
  run: { readonly exit?: number; readonly stdout?: string | Json; readonly stderr?: string },
  expected: Json,
): () => void {
  return () => {
    const agent = agentNamed(id);
    const event = decoded(agent, { ...BASE, ...payload });
    const presented = agent.dialect?.present(event, null);
    if (!agent.dialect || !presented) throw new Error(`${id} shows no such event.`);
    const { exit = 0, stdout = '', stderr = '' } = run;
    const printed = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
    const { response, problem } = agent.dialect.interpret(event, presented, {
      exit,
      stdout: printed,
      stderr,
      timedOut: false,
    });
    expect({ ...response, problem }).toMatchObject({ problem: null, ...expected });
  };
}

/** This is kept of an event. */
export function observed(id: string, payload: Json, expected: Json): () => void {
  return () => {
    const agent = agentNamed(id);
    const event = decoded(agent, { ...BASE, ...payload });
    const silent = { decision: 'none', by: [], reason: null } as const;
    expect(observationsOf(event, silent, agent.history)).toContainEqual(expect.objectContaining(expected));
  };
}
