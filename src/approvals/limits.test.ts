import { describe, expect, test } from 'vitest';
import { HANDED_BACK, type Reply, SCOPES } from './approval.ts';
import { type AnswerLimits, canSeeProject, limitProblem, limitText } from './limits.ts';

const here = { projectId: '/home/dev/shop' };
const taken = (limits: AnswerLimits, reply: Reply) => limitProblem(limits, here, reply) === null;

const REPLIES: readonly (readonly [reply: Reply, deny: boolean, once: boolean])[] = [
  [{ decision: 'deny' }, true, true],
  [{ decision: 'deny', message: 'No.', halt: true }, true, true],
  [{ decision: 'deny', scope: 'once' }, true, true],
  [{ decision: 'deny', scope: 'always' }, false, false],
  [{ decision: 'allow' }, false, true],
  [{ decision: 'allow', scope: 'once' }, false, true],
  [{ decision: 'allow', answers: { a: ['b'] } }, false, true],
  [{ decision: 'allow', input: { command: 'rm -rf ~' } }, false, false],
  [{ decision: 'deny', input: { command: 'rm -rf ~' } }, false, false],
  [HANDED_BACK, false, true],
  ...SCOPES.filter((scope) => scope !== 'once').map(
    (scope) => [{ decision: 'allow', scope }, false, false] as const,
  ),
];

test.each(REPLIES)('%j', (reply, deny, once) => {
  expect(taken({ only: 'deny', projects: null }, reply)).toBe(deny);
  expect(taken({ only: 'once', projects: null }, reply)).toBe(once);
  expect(taken({ only: 'any', projects: null }, reply)).toBe(true);
});

describe('projects', () => {
  test.each(REPLIES)('rejects an answer for another project: %j', (reply) => {
    for (const only of ['deny', 'once', 'any'] as const) {
      expect(limitProblem({ only, projects: ['/home/dev/site'] }, here, reply)).toContain('project');
      expect(limitProblem({ only, projects: [] }, here, reply)).toContain('project');
    }
  });

  test('shows what belongs to no project only if all projects are visible', () => {
    expect(canSeeProject({ projects: null }, null)).toBe(true);
    expect(canSeeProject({ projects: ['/home/dev/shop'] }, null)).toBe(false);
    expect(canSeeProject({ projects: ['/home/dev/shop'] }, '/home/dev/shop')).toBe(true);
    expect(canSeeProject({ projects: ['/home/dev/shop'] }, '/home/dev/shop2')).toBe(false);
  });
});

test('describes limits in words', () => {
  expect(limitText({ only: 'once', projects: null })).toBe('may allow once');
  expect(limitText({ only: 'deny', projects: ['/home/dev/shop', '/home/dev/site'] })).toBe(
    'may only deny, in shop and site',
  );
});
