import { expect, test } from 'vitest';
import { lintText } from './lint-files.ts';

const FENCE = '```';
const block = (language: string, ...lines: string[]) => [`${FENCE}${language}`, ...lines, FENCE];

/** The findings in a document, each with the line that it points to. */
function findings(lines: readonly string[], file = 'guide.md'): string[] {
  return lintText(lines.join('\n'), file, undefined).map(
    ({ agent, code, line }) => `${agent} ${code}: ${lines[line - 1]?.trim()}`,
  );
}

test('a guide to two clients: every block is read as the client that it is about', () => {
  const guide = [
    '# Guarding a team repository',
    '',
    'A hook of Claude that keeps the session at work until the suite has run:',
    ...block('json', '{"continue": false, "stopReason": "The suite still has to pass."}'),
    'Tell Claude what it has to know:',
    ...block(
      'json',
      '{',
      '  "decision": "block",',
      '  "systemMessage": "This text is injected for Claude."',
      '}',
    ),
    'What a Claude hook is given at the end of a turn, of a call and of a subagent:',
    ...block('json', '{"hook_event_name": "Stop", "stop_reason": "end_turn"}'),
    ...block('json', '{"hook_event_name": "PostToolUse", "tool_output": "3 files"}'),
    ...block('json', '{"hook_event_name": "SubagentStop", "subagent_id": "a1"}'),
    'The end of every Claude hook in Python:',
    ...block('python', 'answer = ask_server(payload)', 'sys.exit(0 if answer.get("continue", True) else 1)'),
    'Before a tool of Gemini CLI runs:',
    ...block('json', '{"hook_event_name": "BeforeTool", "tool_name": "RunShellCommand"}'),
    ...block('json', '{"hook_event_name": "BeforeToolSelection",', ' "available_tools": ["glob"]}'),
    ...block('json', '{"hookSpecificOutput": {"toolConfig": {"disabled_tools": ["glob"]}}}'),
    ...block('json', '{"hookSpecificOutput": {"llm_request": {"temperature": 0.2}}}'),
    ...block(
      'python',
      'verdict = check(os.environ["GEMINI_SESSION_ID"])',
      'print(json.dumps({"decision": verdict}))',
      'sys.exit(0 if verdict == "allow" else 2)',
    ),
  ];
  expect(findings(guide)).toEqual([
    'claude continue-false: {"continue": false, "stopReason": "The suite still has to pass."}',
    'claude system-message: "systemMessage": "This text is injected for Claude."',
    'claude stop-reason: {"hook_event_name": "Stop", "stop_reason": "end_turn"}',
    'claude tool-output: {"hook_event_name": "PostToolUse", "tool_output": "3 files"}',
    'claude subagent-id: {"hook_event_name": "SubagentStop", "subagent_id": "a1"}',
    'claude exit-1: sys.exit(0 if answer.get("continue", True) else 1)',
    'gemini tool-name: {"hook_event_name": "BeforeTool", "tool_name": "RunShellCommand"}',
    'gemini stale-field: "available_tools": ["glob"]}',
    'gemini tool-config: {"hookSpecificOutput": {"toolConfig": {"disabled_tools": ["glob"]}}}',
    'gemini llm-config: {"hookSpecificOutput": {"llm_request": {"temperature": 0.2}}}',
    'gemini exit-code: sys.exit(0 if verdict == "allow" else 2)',
  ]);
});

test('a document with signatures: comments and types do not hide what is wrong', () => {
  const signatures = [
    '# Callbacks',
    ...block(
      'typescript',
      'type PermissionAnswer = {',
      '  decision: {',
      '    behavior: "allow" | "deny", // what becomes of the request',
      '    reason?: string, // only with deny',
      '  },',
      '}',
    ),
    ...block(
      'typescript',
      'interface Started {',
      '  hook_event_name: "SessionStart";',
      '  source: "startup" | "checkpoint"; // how it began',
      '}',
    ),
  ];
  expect(findings(signatures)).toEqual([
    'claude deny-reason: reason?: string, // only with deny',
    'claude stale-value: interface Started {',
  ]);
});

test('a document whose line breaks were lost', () => {
  const document = [
    '# Schemas',
    ...block('json', '{"permissionDecision": "deny", "permissionDecisionReason": "no"}'),
    ...block('json', '{"tool_name": "Bash", "tool_output": "ok"}'),
    ...block('json', '{"decision": "block", "reason": "no", "systemMessage": "Context for the next turn"}'),
    ...block('json', '{"hook_event_name": "SessionEnd", "reason": "exit"}'),
    ...block(
      'json',
      '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"timeout": 5}}}',
    ),
    ...block('bash', 'echo "Blocked: no tests" >&2;', 'exit 1'),
    ...block('json', '{"type": "prompt", "prompt": "Is this safe?", "timeout": 30000}'),
  ].join(' ');
  const codes = lintText(document, 'guide.txt', undefined).map(({ agent, code, line }) => [
    agent,
    code,
    line,
  ]);
  expect(codes).toEqual(
    [
      'top-level',
      'tool-output',
      'system-message',
      'stale-value',
      'partial-input',
      'exit-1',
      'timeout-unit',
    ].map((code) => ['claude', code, 1]),
  );
});

test('reports only mistakes inside code blocks', () => {
  const document = [
    'Exit with 1 to block a call, and read tool_output for what it said: "systemMessage": "injected".',
    ...block('json', '{"decision": "block", "reason": "Run the tests first."}'),
    ...block(
      'bash',
      'command=$(jq -r .tool_input.command)',
      'case "$command" in *secret*) echo "Not this file." >&2; exit 2 ;; esac',
    ),
    'For Gemini CLI:',
    ...block('json', '{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command"}'),
    ...block(
      'json',
      '{"hookSpecificOutput": {"toolConfig": {"mode": "ANY", "allowedFunctionNames": ["glob"]}}}',
    ),
  ];
  expect(findings(document)).toEqual([]);
});
