import * as v from 'valibot';
import { expect, test } from 'vitest';
import { answerMessage } from '../../fleet/approval-messages.ts';
import type { Post } from '../../fleet/post.ts';
import { createElsewhere } from './elsewhere.ts';

test('a verdict counts only from the machine that was asked', async () => {
  const hear = new Map<string, (from: string, body: unknown) => void>();
  const sent: unknown[] = [];
  const post: Post = {
    send: (kind, _, body) => {
      if (kind === 'answer') sent.push(body);
      return true;
    },
    listen: (kind, _, listener) => void hear.set(kind, listener),
    close: () => {},
  };
  const elsewhere = createElsewhere(() => false);
  elsewhere.follow(post, { id: 'self', name: 'laptop', publicKey: '' });
  hear.get('pending')?.('desk', { name: 'desk', shown: SHOWN, mayAllow: true });
  const [approval] = elsewhere.list();
  if (!approval) throw new Error('it is not listed');
  const answered = elsewhere.answer(approval, { decision: 'deny' }, 'maya');
  const { nonce } = v.parse(answerMessage, sent[0]);
  const verdict = { nonce, counts: true, words: 'Denied.', end: { state: 'denied', by: 'maya' } };
  hear.get('verdict')?.('mallory', verdict);
  hear.get('verdict')?.('desk', { ...verdict, counts: false, end: { state: 'allowed', by: 'somebody' } });
  expect(await answered).toMatchObject({ ok: false, approval: { state: 'allowed' } });
});

const SHOWN = JSON.stringify({
  ...{
    id: '1',
    eventId: 'e',
    kind: 'permission',
    source: 's',
    sessionId: 's',
    agentId: null,
    promptNumber: 1,
  },
  ...{ toolNumber: 1, projectId: null, cwd: null, question: null, questions: [], reason: null, rules: [] },
  ...{
    suggestions: [],
    asksPermission: true,
    createdAt: 1,
    expiresAt: 8e15,
    state: 'pending',
    settledAt: null,
  },
  ...{ settledBy: null, answer: null, place: '', changes: [], covers: null, asked: null, marks: [] },
  ...{ runsWith: [], destructive: false, group: 'g', tool: null },
});
