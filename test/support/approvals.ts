import type { Approval, ShownApproval } from '../../src/approvals/approval.ts';

/** A card for tests. */
export const card = (id: string, more: Partial<Approval> = {}): Approval => ({
  id,
  eventId: `event-${id}`,
  kind: 'permission',
  source: 'agent',
  sessionId: 's',
  agentId: null,
  promptNumber: 0,
  toolNumber: 0,
  projectId: null,
  cwd: null,
  tool: null,
  question: null,
  questions: [],
  reason: null,
  rules: [],
  suggestions: [],
  asksPermission: false,
  createdAt: 0,
  expiresAt: 1000,
  state: 'pending',
  settledAt: null,
  settledBy: null,
  answer: null,
  ...more,
});

/** The same as surfaces get it. */
export const shownCard = (id: string, more: Partial<Approval> = {}): ShownApproval => ({
  ...card(id, more),
  place: '',
  changes: [],
  covers: null,
  asked: null,
  marks: [],
  runsWith: [],
  destructive: false,
  group: id,
});
