import { describe, expect, test } from 'vitest';
import { scratchFiles } from '../../../test/support/hooks.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { settingsFindings as claudeSettings } from '../../agents/claude/lint.ts';
import { settingsFindings as codexSettings } from '../../agents/codex/lint.ts';
import { settingsFindings as geminiSettings } from '../../agents/gemini/lint.ts';
import { lintPaths, lintText } from './lint-files.ts';

const codes = (text: string, dialect?: string, file = 'hook.txt') =>
  lintText(text, file, dialect === undefined ? undefined : AGENTS.get(dialect)).map(({ code }) => code);

describe('what is out of date in a script', () => {
  test.each([
    ['exit 1 in a shell', 'if bad; then\n  echo "Blocked" >&2\n  exit 1\nfi', ['exit-1']],
    ['exit 1 in Python', 'print("denied")\nsys.exit(1)', ['exit-1']],
    ['exit 1 by a condition', 'sys.exit(0 if result.get("continue", True) else 1)', ['exit-1']],
    ['exit 1 for a plain error', 'command -v jq || { echo "jq is missing" >&2; exit 1; }', []],
    ['tool_output', 'jq -r .tool_output', ['tool-output']],
    ['a decision at the top', `echo '{"permissionDecision": "deny"}'`, ['top-level']],
    [
      'a decision in its place',
      `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}'`,
      [],
    ],
    [
      'input in part',
      'out({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { timeout: 3000 } } })',
      ['partial-input'],
    ],
    [
      'input in whole',
      'out({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { ...input.tool_input, timeout: 3000 } } })',
      [],
    ],
    [
      'a stop that is to be blocked',
      '{"continue": false, "stopReason": "Run the tests first."}',
      ['continue-false'],
    ],
    [
      'a refusal that ends the turn',
      '{"continue": false, "decision": "block", "reason": "no"}',
      ['continue-false'],
    ],
    ['an end of the turn', '{"continue": false, "stopReason": "The budget is spent."}', []],
    [
      'a message for the model',
      '{"decision": "block", "reason": "x", "systemMessage": "You must open a ticket."}',
      ['system-message'],
    ],
    ['a message for the user', '{"systemMessage": "Formatted 3 files"}', []],
    [
      'context that is lost',
      '{"hookSpecificOutput": {"hookEventName": "Notification", "additionalContext": "x"}}',
      ['context-lost'],
    ],
    [
      'context that is read',
      '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}}',
      [],
    ],
    ['JSON in quotes of a shell', 'echo "{\\"decision\\": \\"deny\\"}"', ['unknown-decision']],
    [
      'Python',
      'print(json.dumps({"continue": False, "decision": "block", "reason": why}))',
      ['continue-false'],
    ],
    [
      'a reason that is not read',
      '{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "reason": "no"}}}',
      ['deny-reason'],
    ],
    ['a timeout in ms', '{"type": "command", "command": "x", "timeout": 30000}', ['timeout-unit']],
    ['the timeout of a tool', '{"command": "cargo test", "timeout": 120000}', []],
  ])('%s', (_, text, expected) => {
    expect(codes(text, 'claude')).toEqual(expected);
  });

  test.each([
    [
      'a bare allow',
      '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}',
      ['void-answer'],
    ],
    ['an unknown key', '{"decision": "block", "reason": "no", "severity": "high"}', ['void-answer']],
    ['suppressOutput', '{"suppressOutput": true}', ['void-answer']],
    ['a refusal', '{"decision": "block", "reason": "no"}', []],
    [
      'a change',
      '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "ls"}}}',
      [],
    ],
  ])('for Codex: %s', (_, text, expected) => {
    expect(codes(text, 'codex')).toEqual(expected);
  });

  test.each([
    ['a name of a class', 'if (input.tool_name === "RunShellCommand") deny()', ['tool-name']],
    [
      'tools switched off',
      '{"hookSpecificOutput": {"toolConfig": {"disabled_tools": ["x"]}}}',
      ['tool-config'],
    ],
    [
      'temperature at the wrong place',
      '{"hookSpecificOutput": {"llm_request": {"temperature": 1}}}',
      ['llm-config'],
    ],
    [
      'an answer for another client',
      '{"hookSpecificOutput": {"permissionDecision": "deny"}}',
      ['claude-answer'],
    ],
    [
      'context before a tool',
      '{"hookSpecificOutput": {"hookEventName": "BeforeTool", "additionalContext": "x"}}',
      ['context-lost'],
    ],
    ['a timeout in seconds', '{"type": "command", "command": "x", "timeout": 30}', ['timeout-unit']],
    ['a refusal', '{"decision": "deny", "reason": "no"}', []],
  ])('for Gemini CLI: %s', (_, text, expected) => {
    expect(codes(text, 'gemini')).toEqual(expected);
  });
});

describe('what is out of date in settings', () => {
  const entry = (event: string, group: object) => JSON.stringify({ hooks: { [event]: [group] } }, null, 2);
  const hook = { type: 'command', command: 'guard.sh' };
  const found = (list: readonly { code: string }[]) => list.map(({ code }) => code);

  test.each([['Bash(rm *)'], ['!Bash'], ['(?i)bash'], ['bash'], ['mcp__github']])(
    'a matcher that matches nothing: %s',
    (matcher) => {
      expect(found(claudeSettings(entry('PreToolUse', { matcher, hooks: [hook] }), 's.json'))).toEqual([
        'matcher',
      ]);
    },
  );

  test.each([['Bash'], ['Write|Edit'], ['mcp__github__.*'], ['*'], ['^Bash$']])(
    'a good matcher: %s',
    (matcher) => {
      expect(claudeSettings(entry('PreToolUse', { matcher, hooks: [hook] }), 's.json')).toEqual([]);
    },
  );

  test('an entry that costs the whole file', () => {
    const bad = { matcher: 'Bash', hooks: [{ type: 'shell', command: 'x' }] };
    expect(found(claudeSettings(entry('PreToolUse', bad), 's.json'))).toEqual(['drops-file']);
    expect(claudeSettings(entry('Stop', bad), 's.json')).toEqual([]);
    const text = JSON.stringify({ hooks: {}, extra: 1 });
    expect(found(codexSettings(text, 'hooks.json'))).toEqual(['drops-file']);
  });

  test('hooks that never run', () => {
    expect(found(claudeSettings(entry('Stop', { hooks: [{ ...hook, if: 'Bash(x)' }] }), 's'))).toEqual([
      'never-runs',
    ]);
    expect(
      found(claudeSettings(entry('SessionStart', { hooks: [{ type: 'http', url: 'http://a.b' }] }), 's')),
    ).toEqual(['never-runs']);
    expect(
      found(geminiSettings(entry('SessionStart', { matcher: 'startup|resume', hooks: [hook] }))),
    ).toEqual(['matcher']);
    expect(found(geminiSettings(entry('PreToolUse', { hooks: [hook] })))).toEqual(['unknown-event']);
    expect(found(geminiSettings(entry('BeforeTool', { matcher: 'Bash', hooks: [hook] })))).toEqual([
      'matcher',
    ]);
    expect(
      geminiSettings(
        entry('BeforeTool', { matcher: 'run_shell_command', hooks: [{ ...hook, timeout: 5000 }] }),
      ),
    ).toEqual([]);
  });

  test.each([['Write|Edit|MultiEdit'], ['LS'], ['NotebookRead'], ['MultiEdit|LS']])(
    'a tool that is gone: %s',
    (matcher) => {
      expect(found(claudeSettings(entry('PreToolUse', { matcher, hooks: [hook] }), 's.json'))).toEqual([
        'matcher',
      ]);
    },
  );

  test('what no session starts or ends with', () => {
    const stale = (event: string, matcher: string) =>
      found(claudeSettings(entry(event, { matcher, hooks: [hook] }), 's.json'));
    expect(stale('SessionStart', 'startup|continue')).toEqual(['matcher']);
    expect(stale('SessionEnd', 'timeout')).toEqual(['matcher']);
    expect(stale('SessionStart', 'startup|resume')).toEqual([]);
  });

  test("a class name doesn't match as a tool name", () => {
    const matcher = (text: string) =>
      found(geminiSettings(entry('BeforeTool', { matcher: text, hooks: [hook] })));
    expect(matcher('RunShellCommand')).toEqual(['matcher']);
    expect(matcher('write_file|WriteFileTool')).toEqual(['matcher']);
    expect(matcher('write_file|replace')).toEqual([]);
  });

  test.each(['claude', 'codex', 'gemini'])('nothing that Hookline itself writes for %s', (id) => {
    const files = scratchFiles();
    const agent = AGENTS.get(id);
    const around = { home: `${files.path}/home`, cwd: `${files.path}/project` };
    for (const forwarder of ['/opt/hookline-forward', '/opt/hookline/forward.js']) {
      const context = { ...around, env: {}, scope: 'user', failClosed: true, forwarder } as const;
      for (const { after } of agent?.setup.plan(context) ?? []) {
        if (after === null) continue;
        expect(lintPaths([files.write('settings.json', after)], agent, around)).toEqual([]);
      }
    }
  });

  test('a settings file that is named is checked with the scripts that it calls', () => {
    const files = scratchFiles();
    const around = { home: files.path, cwd: files.path };
    files.write('guard.sh', 'echo "Blocked" >&2\nexit 1\n');
    const settings = files.write(
      'settings.json',
      entry('PreToolUse', { matcher: 'Bash', hooks: [{ ...hook, command: '~/guard.sh', timeout: 30_000 }] }),
    );
    expect(lintPaths([settings], undefined, around).map(({ code, file }) => [code, file])).toEqual([
      ['timeout-unit', settings],
      ['exit-1', `${files.path}/guard.sh`],
    ]);
  });
});
