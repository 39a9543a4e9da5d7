import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../test/support/agents/answers.ts';
import { allow, type HookResponse, rewrite } from '../../model/responses.ts';
import claude from './index.ts';

const TOOL = { tool_name: 'Bash', tool_input: { command: 'ls', description: 'List' }, tool_use_id: 't' };

const { event, ...answers } = answersOf(claude);
const encode = (name: string, more: object, response: HookResponse, env = {}) =>
  answers.encode(name, response, more, env);
const said = (name: string, more: object, response: HookResponse) => answers.said(name, response, more);

const SILENCE = { action: 'passthrough' };

describe('questions and plans', () => {
  const questions = [{ question: 'Which?', header: 'H', options: [], multiSelect: false }];
  const QUESTION = { tool_name: 'AskUserQuestion', tool_input: { questions } };
  const answers = { 'Which?': 'SQLite' };

  test.each([
    ['PreToolUse', { permissionDecision: 'allow', updatedInput: { questions, answers } }],
    ['PermissionRequest', { decision: { behavior: 'allow', updatedInput: { questions, answers } } }],
  ])('%s: is answered by allow with the whole input', (name, own) => {
    expect(said(name, QUESTION, { ...allow(), modifyArgs: { answers } })).toEqual({
      hookSpecificOutput: { hookEventName: name, ...own },
    });
  });

  test("aren't answered by arguments without allow", () => {
    expect(encode('PreToolUse', QUESTION, rewrite({ answers }))).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'rewrite' }],
    });
  });

  test('approves a plan by echoing its input', () => {
    expect(said('PreToolUse', { tool_name: 'ExitPlanMode', tool_input: {} }, allow())).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: {} },
    });
  });
});

describe('grants', () => {
  test('go to the settings of their scope, one update per file and behavior', () => {
    const response: HookResponse = {
      ...allow(),
      grants: [
        { behavior: 'allow', tool: 'Bash', pattern: 'npm test:*', scope: 'project' },
        { behavior: 'allow', tool: 'Bash', pattern: 'npm ci', scope: 'project' },
        { behavior: 'deny', tool: 'Task', pattern: null, scope: 'user' },
      ],
    };
    expect(said('PermissionRequest', TOOL, response)).toMatchObject({
      hookSpecificOutput: {
        decision: {
          updatedPermissions: [
            {
              type: 'addRules',
              rules: [
                { toolName: 'Bash', ruleContent: 'npm test:*' },
                { toolName: 'Bash', ruleContent: 'npm ci' },
              ],
              behavior: 'allow',
              destination: 'localSettings',
            },
            {
              type: 'addRules',
              rules: [{ toolName: 'Agent' }],
              behavior: 'deny',
              destination: 'userSettings',
            },
          ],
        },
      },
    });
  });

  test("an empty pattern doesn't match everything", () => {
    const response: HookResponse = {
      ...allow(),
      grants: [{ behavior: 'allow', tool: 'Bash', pattern: '', scope: 'user' }],
    };
    expect(encode('PermissionRequest', TOOL, response)).toMatchObject({
      answer: { stdout_json: { hookSpecificOutput: { decision: { behavior: 'allow' } } } },
      degraded: [{ effect: 'grants' }],
    });
    expect(JSON.stringify(said('PermissionRequest', TOOL, response))).not.toContain('updatedPermissions');
  });
});
