import fc from 'fast-check';
import { expect, test } from 'vitest';
import { card } from '../../test/support/approvals.ts';
import { bash, permission } from '../../test/support/store/store.ts';
import { AGENTS } from '../agents/_registry.ts';
import { type AnswerScope, type Approval, responseTo, SCOPES } from './approval.ts';

function answered(command: string, scope: AnswerScope, more: Partial<Approval> = {}): Approval {
  return card('a', {
    source: 'claude',
    projectId: '/home/dev/shop',
    cwd: '/home/dev/shop',
    tool: bash(command),
    asksPermission: true,
    state: 'allowed',
    settledAt: 0,
    settledBy: 'ann',
    answer: { decision: 'allow', scope },
    ...more,
  });
}

/** What the agent saves in its own store. */
function kept(approval: Approval): unknown {
  const { answer } = AGENTS.get('claude')?.encode(permission('x'), responseTo(approval), {}) ?? {};
  return JSON.parse(JSON.stringify(answer ?? {})).stdout_json?.hookSpecificOutput?.decision
    ?.updatedPermissions;
}

test('stores a lasting answer in the settings of the agent that asked, for exactly this command', () => {
  const rules = [{ toolName: 'Bash', ruleContent: 'npm test' }];
  const update = (destination: string) => [{ type: 'addRules', rules, behavior: 'allow', destination }];
  expect(kept(answered('npm test', 'session'))).toEqual(update('session'));
  expect(kept(answered('npm test', 'project'))).toEqual(update('localSettings'));
  expect(kept(answered('npm test', 'always'))).toEqual(update('userSettings'));
});

test("stores nothing for scopes that agents don't know, or for scope once", () => {
  for (const scope of ['once', 'branch', 'server'] as const)
    expect(kept(answered('npm test', scope))).toBeUndefined();
  expect(kept(answered('npm test', 'always', { asksPermission: false }))).toBeUndefined();
});

test("a denial is stored in no agent's settings", () => {
  for (const scope of SCOPES) {
    const approval = answered('npm test', scope, { state: 'denied', answer: { decision: 'deny', scope } });
    expect(responseTo(approval).grants).toBeUndefined();
  }
});

test('writes nothing that an agent would read as a pattern', () => {
  for (const command of ['rm *.log', 'npm test:*', 'ls ?', 'cat {a,b}', 'rm [ab]', 'a\nb'])
    expect(kept(answered(command, 'always'))).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.constantFrom(...SCOPES), (command, scope) => {
      const [grant] = responseTo(answered(command, scope)).grants ?? [];
      if (grant) expect(grant.pattern).toBe(command);
      if (grant) expect(grant.pattern).not.toMatch(/[*?[\]{}\n]/);
    }),
  );
});

test("a whole server is stored by an agent that asked; if it can't, that is recorded", () => {
  const name = 'mcp__my_db__query';
  const tool = {
    ...bash(''),
    name,
    nativeName: name,
    kind: 'mcp' as const,
    command: null,
    mcp: { server: 'my db', tool: 'query' },
  };
  const approval = answered('', 'server', { tool });
  const rules = [{ toolName: 'mcp__my_db' }];
  expect(kept(approval)).toEqual([
    { type: 'addRules', rules, behavior: 'allow', destination: 'userSettings' },
  ]);
  const response = responseTo(approval);
  for (const id of ['codex', 'gemini']) {
    const degraded = AGENTS.get(id)?.encode(permission('x'), response, {}).degraded ?? [];
    expect(degraded).toContainEqual({ effect: 'grants', reason: expect.stringMatching(/./) });
  }
});
