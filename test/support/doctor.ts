import type { Examined } from '../../src/cli/doctor/check.ts';
import type { DaemonStatus } from '../../src/client/client.ts';

/** A daemon that says this of itself, and nothing else worth a word. */
export function examined(said: Partial<DaemonStatus>): Pick<Examined, 'presence'> {
  const daemon = { pid: 1, version: '', socket: '', http: '', startedAt: '' };
  const status = {
    daemon,
    events: 0,
    rules: 0,
    ruleProblems: [],
    ruleRemarks: [],
    hooks: [],
    hookProblems: [],
    unlockedUntil: null,
    away: null,
    alerts: [],
    unrecorded: { waiting: 0, dropped: 0 },
    phone: null,
    devices: [],
    config: {},
    ...said,
  };
  const client = {
    info: daemon,
    status: async () => status,
    get: async () => null,
    post: async () => null,
    follow: async () => {},
  };
  return { presence: { kind: 'answers', client, status } };
}
