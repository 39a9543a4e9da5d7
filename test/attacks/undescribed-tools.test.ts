import { describe, expect, test } from 'vitest';
import qwen from '../../src/agents/qwen/index.ts';
import { judgedEvent } from './judged.ts';

// An agent has more than one tool that runs commands, and its next version has another.

function judgedCall(tool: string, input: object): string {
  const about = { session_id: 's', cwd: '/home/dev/project', hook_event_name: 'PreToolUse' };
  const payload = { ...about, tool_name: tool, tool_input: input };
  return judgedEvent()(qwen.decode({ id: 'i', receivedAt: 0, event: 'PreToolUse', payload, env: {} }));
}

describe('evaluates a command for any tool that runs it', () => {
  test.each(['run_shell_command', 'monitor'])('%s', (tool) => {
    expect(judgedCall(tool, { command: 'rm -rf ~/.hookline' })).toBe('deny');
    expect(judgedCall(tool, { command: 'rm -rf .hookline', directory: '/home/dev' })).toBe('deny');
    expect(judgedCall(tool, { command: 'npm test' })).toBe('none');
  });

  test.each(['bash', 'exec_command', 'terminal'])('%s, an undescribed tool', (tool) => {
    expect(judgedCall(tool, { command: 'rm -rf ~/.hookline' })).not.toBe('none');
    expect(judgedCall(tool, { command: ['rm', '-rf', '/home/dev/.hookline'] })).not.toBe('none');
  });
});
