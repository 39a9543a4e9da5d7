/** What is in the home: the files that a user writes, and the calls that agents make. */

/** The user's home folder while a home is written. Always the same, because the history names it. */
export const ROOT = '/tmp/hookline-upgrade';
export const SHOP = `${ROOT}/shop`;
/** Opens nothing but the homes here. */
export const SCRIPT_KEY = 'hookline-script-of-the-upgrade-test-and-of-nothing-else';

const CONFIG = `# The settings of a user.
failure: open
http: { port: 0 }
retention: { days: 36500 }
memory: { on: true, tokens: 400 }
approvals: { hold: always, waitSeconds: 600, onExpiry: deny }
notify: { on: [failure], quiet: 22:00-07:00 }
packs: { containers: observe, cloud: off }
rulesOff: [no-curl-uploads, filesystem/delete-folders]
`;

const RULES = `rules:
  - id: no-version-bump
    command: npm version
    deny: CI sets the version.
    next: Change the heading in CHANGELOG.md instead.
  - id: publish-asks
    command: npm publish
    ask: Releases come from CI.
  - id: migrations-ask
    writes: /srv/shop/migrations/**
    ask: A person looks at each migration.
  - id: issues-ask
    mcp: tracker
    ask: Issues are filed by people.
  - id: watch-make
    command: make deploy
    mode: observe
    deny: Only recorded so far.
  - id: no-curl-uploads
    command: curl --upload-file
    deny: Switched off in config.yaml.
`;

const PROJECT_RULES = `rules:
  - id: tests-may-run
    command: npm test
    allow: The tests of the shop change nothing.
  - id: no-seed
    command: npm run seed
    deny: The seed empties the shop.
`;

const CODE_HOOK = `import { defineHook, deny } from 'hookline';

export default defineHook({
  on: 'before_tool',
  tool: 'Bash',
  name: 'no-destroy',
  timeoutMs: 60_000,
  run(event) {
    if (event.tool.command.includes('terraform destroy')) return deny('Infrastructure is torn down by hand.');
  },
});
`;

const PROJECT_HOOK = `import { defineHook, deny } from 'hookline';

export default defineHook({
  on: 'before_tool',
  tool: 'Bash',
  name: 'no-price-change',
  timeoutMs: 60_000,
  run(event) {
    if (event.tool.command.includes('set-price')) return deny('Prices are changed in the back office.');
  },
});
`;

const HOOKS_FILE = `hooks:
  - name: no-telnet
    type: command
    dialect: claude
    event: PreToolUse
    matcher: Bash
    command: sh ${ROOT}/scripts/no-telnet.sh
    timeout: 60s
`;

const SCRIPT = `if grep -q telnet; then
  echo "telnet sends passwords in the clear." >&2
  exit 2
fi
`;

/** In each a hook of the user's own, and a style that no program would write. */
export const AGENT_SETTINGS = {
  '.claude/settings.json': `{
    "model": "opus",
    "hooks": {"Stop": [ {"hooks": [{"type": "command", "command": "true"}]} ]}
}`,
  '.gemini/settings.json': '{\n\t"ui": {"theme": "Dark"},\n\t"hooks": { "AfterAgent": [] }\n}\n',
  '.codex/config.toml': '# mine\nmodel = "gpt-5"\n\n[tui]\ntheme   = "dark"\n',
};

/** Everything that a person writes, by its path from the root. */
export const FILES = {
  '.hookline/config.yaml': CONFIG,
  '.hookline/rules/own.yaml': RULES,
  '.hookline/hooks/no-destroy.ts': CODE_HOOK,
  '.hookline/hooks.yaml': HOOKS_FILE,
  'scripts/no-telnet.sh': SCRIPT,
  'shop/.git/HEAD': 'ref: refs/heads/main\n',
  'shop/.hookline/rules/shop.yaml': PROJECT_RULES,
  'shop/.hookline/hooks/no-price-change.ts': PROJECT_HOOK,
  ...AGENT_SETTINGS,
};

const claude = (name, more) => ({
  agent: 'claude',
  payload: { ...at('c1'), hook_event_name: name, ...more },
});
const gemini = (name, more) => ({
  agent: 'gemini',
  payload: { ...at('g1'), hook_event_name: name, timestamp: new Date().toISOString(), ...more },
});
const codex = (name, more) => ({
  agent: 'codex',
  payload: { ...at('x1'), hook_event_name: name, model: 'gpt-5', turn_id: 'turn-1', ...more },
});
const at = (session) => ({ session_id: session, transcript_path: '', cwd: SHOP });
const bash = (id, command) => ({ tool_name: 'Bash', tool_use_id: id, tool_input: { command } });
const ran = (id, command, stdout) => ({ ...bash(id, command), tool_response: { stdout, stderr: '' } });

const DISCOUNT = { file_path: `${SHOP}/cart.ts`, old_string: 'total', new_string: 'total * 0.9' };
const edit = (id) => ({ tool_name: 'Edit', tool_use_id: id, tool_input: DISCOUNT });

/** Answered at once. */
export const CALLS = [
  claude('SessionStart', { source: 'startup' }),
  claude('UserPromptSubmit', { prompt: 'Give every cart a discount of ten percent.' }),
  claude('PreToolUse', edit('t1')),
  claude('PostToolUse', { ...edit('t1'), tool_response: { filePath: DISCOUNT.file_path } }),
  claude('PreToolUse', bash('t2', 'npm test')),
  claude('PostToolUse', ran('t2', 'npm test', '12 tests passed')),
  claude('PreToolUse', bash('t3', 'npm version major')),
  claude('PreToolUse', bash('t4', 'terraform destroy')),
  claude('PreToolUse', bash('t5', 'telnet shop.example.com')),
  claude('PreToolUse', bash('t6', 'make deploy')),
  claude('Stop', { stop_hook_active: false }),
  claude('SessionEnd', { reason: 'exit' }),
  gemini('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'git push -f' } }),
  codex('PreToolUse', bash('x1', 'npm run seed')),
];

/** These wait for a person, whose answer is kept. */
export const ASKED = [
  { ...claude('PreToolUse', bash('a1', 'npm publish')), answer: 'approve', scope: 'always' },
  { ...claude('PreToolUse', bash('a2', 'npm publish --tag beta')), answer: 'deny', scope: 'project' },
  { ...claude('PreToolUse', bash('a3', 'npm publish --tag next')), answer: 'approve', scope: 'branch' },
  { ...claude('PreToolUse', bash('a4', 'npm publish --access public')), answer: 'approve', scope: 'session' },
  {
    ...claude('PreToolUse', {
      tool_name: 'Write',
      tool_use_id: 'a5',
      tool_input: { file_path: '/srv/shop/migrations/1.sql', content: 'SELECT 1;\n' },
    }),
    answer: 'approve',
    scope: 'always',
  },
  {
    ...claude('PreToolUse', {
      tool_name: 'mcp__tracker__create_issue',
      tool_use_id: 'a6',
      tool_input: { title: 'Discount' },
    }),
    answer: 'approve',
    scope: 'server',
  },
];

/** Judged while no daemon runs: it waits in the spool. */
export const SPOOLED = claude('PreToolUse', bash('s1', 'npm version minor'));
