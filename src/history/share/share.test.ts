import { expect, test } from 'vitest';
import { scratchHome } from '../../../test/support/daemon/daemon.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { runDaemon } from '../../daemon/run-daemon.ts';
import { listEvents, listSessions } from '../../store/read/queries.ts';
import { cleanerFor } from './clean.ts';
import { html } from './html.ts';
import { sharePage } from './page.ts';

const MARKUP = '"><img src=x onerror="alert(1)"><script>alert(1)</script>';

async function shared(clean: (text: string) => string): Promise<string> {
  const daemon = await runDaemon(scratchHome());
  const common = { session_id: 's1', cwd: '/home/dora/shop', permission_mode: 'default' };
  let calls = 0;
  const call = (payload: object) => {
    calls += 1;
    const given = {
      id: `c${calls}`,
      receivedAt: 1_800_000_000_000 + calls,
      agent: 'claude',
      event: null,
      env: {},
    };
    return daemon.hub.call({ ...given, payload: { ...common, ...payload } });
  };
  const tool = (tool_name: string, tool_input: object, tool_response: object, tool_use_id: string) => [
    { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id },
    { hook_event_name: 'PostToolUse', tool_name, tool_input, tool_use_id, tool_response },
  ];
  try {
    for (const payload of [
      { hook_event_name: 'UserPromptSubmit', prompt: `Make it blue ${MARKUP}` },
      ...tool('Bash', { command: `echo ${MARKUP}` }, { stdout: `said ${MARKUP}`, stderr: '' }, 't1'),
      ...tool(
        'Edit',
        { file_path: '/home/dora/shop/a.css', old_string: 'red', new_string: MARKUP },
        {},
        't2',
      ),
      {
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'git push --force' },
        tool_use_id: 't3',
      },
      { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: `Done ${MARKUP}` },
    ])
      await call(payload);
    const [session] = listSessions(daemon.home.db);
    if (!session) throw new Error('no session');
    return sharePage(session, listEvents(daemon.home.db), AGENTS, clean, Date.now());
  } finally {
    await daemon.stop();
  }
}

test("escapes anything that wasn't created here", () => {
  expect(html`<b title="${'"&'}">${'<i>'}</b>${html`<u>${1}</u>`}`.markup).toBe(
    '<b title="&quot;&amp;">&lt;i&gt;</b><u>1</u>',
  );
});

test('a session becomes one page with turns, calls, changes and decisions, without anything that runs or loads', async () => {
  const page = await shared(cleanerFor('/home/dora', 'dora'));
  expect(page).toContain('Make it blue &quot;&gt;&lt;img');
  expect(page).toContain('<span class="out">- red</span>');
  expect(page).toContain('git/force-push');
  expect(page).toContain('Done &quot;');
  expect(page).not.toMatch(/<(?:img|script|link|iframe|svg)\b|<[^>]+\s(?:src|href|style|on\w+)=/);
  expect(page).toMatch(/content="default-src &#39;none&#39;; style-src &#39;sha256-/);
});

test('contains neither secrets nor the user', async () => {
  const clean = cleanerFor('/home/dora', 'dora');
  const page = await shared(clean);
  expect(page).not.toContain('dora');
  expect(page).toContain('~/shop/a.css');
  const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
  expect(
    clean(`cat /home/dora/x && curl -H "authorization: token ${token}" for dora, not for doras`),
  ).toMatch(/^cat ~\/x && curl -H "authorization: token \[redacted.*\]" for user, not for doras$/);
});
