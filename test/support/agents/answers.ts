import type { Agent, Encoded } from '../../../src/agents/agent.ts';
import type { HookEvent } from '../../../src/model/events.ts';
import type { HookResponse } from '../../../src/model/responses.ts';

interface Answers {
  event(name: string, more?: object): HookEvent;
  encode(
    name: string,
    response: HookResponse,
    more?: object,
    env?: Readonly<Record<string, string>>,
  ): Encoded;
  /** The JSON that the client reads; the answer itself where it has none. */
  said(name: string, response: HookResponse, more?: object, env?: Readonly<Record<string, string>>): unknown;
}

/** What an agent is told about events of its own that have these fields. */
export function answersOf(
  { decode, encode }: Pick<Agent, 'decode' | 'encode'>,
  fields: object = {},
): Answers {
  const answers: Answers = {
    event: (name, more = {}) => {
      const payload = { session_id: 's', hook_event_name: name, ...fields, ...more };
      return decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
    },
    encode: (name, response, more, env = {}) => encode(answers.event(name, more), response, env),
    said: (...given) => {
      const { answer } = answers.encode(...given);
      return answer.action === 'json_output' ? answer.stdout_json : answer;
    },
  };
  return answers;
}
