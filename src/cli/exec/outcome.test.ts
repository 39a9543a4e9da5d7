import { expect, test } from 'vitest';
import { storedEvent } from '../../../test/support/store/store.ts';
import type { EventType } from '../../model/events.ts';
import type { Opinion } from '../../model/recording.ts';
import type { Degradation, HookResponse } from '../../model/responses.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import type { Ended } from './agent-process.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { mainSession, runEndingOf } from './outcome.ts';

interface Given {
  readonly response?: HookResponse;
  readonly degraded?: readonly Degradation[];
  readonly opinions?: readonly Opinion[];
  readonly more?: Partial<StoredEvent>;
}

const event = (type: EventType, { more, ...given }: Given = {}) =>
  storedEvent({ type, source: 'agent', sessionId: 's', toolNumber: 0, ...given, ...more });

const ENDED: Ended = { code: 0, signal: null, stdout: '', stderr: '', cut: null };
const FAILED: Ended = { ...ENDED, code: 1, stderr: 'no model' };
const outcome = (events: readonly StoredEvent[], ended = ENDED) =>
  runEndingOf(events, ended, 'Agent', null).outcome;

const no = { decision: 'deny', reason: 'no' } as const;
const start = event('session_start');
const prompt = event('before_agent');
const blocked = event('before_agent', { response: no });
const end = event('stop');
const spent: Opinion = { kind: 'rule', by: 'gate', where: null, response: no, observing: true, spent: true };
const halted = event('after_tool', { response: { decision: 'none', halt: 'enough' } });

test.each<[string, string, readonly StoredEvent[], Ended]>([
  ['a turn that ended', 'done', [start, prompt, end], ENDED],
  ['a call that was denied', 'done', [prompt, event('before_tool', { response: no }), end], ENDED],
  [
    'an end that was refused, and then was not',
    'done',
    [prompt, event('stop', { response: no }), end],
    ENDED,
  ],
  ['a prompt that was blocked', 'denied', [start, blocked], ENDED],
  ['a prompt that was blocked, by a client that then fails', 'denied', [start, blocked], FAILED],
  ['a turn that was halted', 'denied', [prompt, halted, end], ENDED],
  [
    'a halt that the agent could not be told',
    'done',
    [prompt, { ...halted, degraded: [{ effect: 'halt', reason: '' }] }, end],
    ENDED,
  ],
  [
    'a halt that became a denial',
    'denied',
    [prompt, { ...halted, degraded: [{ effect: 'halt', reason: '', instead: 'deny' }] }],
    ENDED,
  ],
  [
    'a block that the agent could not be told',
    'done',
    [{ ...blocked, degraded: [{ effect: 'deny', reason: '' }] }, end],
    ENDED,
  ],
  [
    'an end that a gate still refuses',
    'gated',
    [prompt, event('stop', { response: no }), event('stop', { opinions: [spent] })],
    ENDED,
  ],
  ['an end that was refused for nothing', 'gated', [prompt, event('after_agent', { response: no })], ENDED],
  ['a failure while a gate refuses', 'failed', [prompt, event('stop', { response: no })], FAILED],
  ['an exit code', 'failed', [start, prompt], FAILED],
  ['an exit code before any hook', 'failed', [], FAILED],
  ['a turn that never ended', 'failed', [start, prompt], ENDED],
  ['a turn that the client says failed', 'failed', [prompt, event('stop_failure')], ENDED],
  ['a run without any event', 'unguarded', [], ENDED],
  ['no time left', 'timeout', [start, blocked], { ...ENDED, cut: 'timeout' }],
  ['an interrupt', 'interrupted', [start, prompt, end], { ...ENDED, cut: 'SIGINT' }],
  ['a signal', 'terminated', [], { ...ENDED, cut: 'SIGTERM' }],
])('%s: %s', (_, expected, events, ended) => {
  expect(outcome(events, ended)).toBe(expected);
});

test('a failure is told in the words of the agent, without secrets', () => {
  const stderr = 'bad key: sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const { message } = runEndingOf([prompt], { ...FAILED, stderr }, 'Agent', null);
  expect(message).toContain('Agent exited with code 1.\nbad key');
  expect(message).not.toContain('AAAAAAAA');
});

test('the main session is that of the agent: not a subagent, nor an agent that it started', () => {
  const others = [
    event('before_agent', { more: { source: 'other' } }),
    event('stop', { more: { agentId: 'sub' } }),
    event('stop', { more: { sessionId: 'nested' } }),
  ];
  expect(mainSession([...others.slice(0, 2), start, prompt, ...others, end], 'agent')).toEqual([
    start,
    prompt,
    end,
  ]);
});

test('no exit code is 2, nor that of another outcome', () => {
  const codes = Object.values(EXIT_CODES);
  expect(new Set(codes).size).toBe(codes.length);
  for (const taken of [1, 2]) expect(codes).not.toContain(taken);
});
