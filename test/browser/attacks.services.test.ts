import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { bashCall, scratchHome, startDaemon, until } from '../support/daemon/daemon.ts';
import { closeBrowser, loaded, openBrowser, openPage, testInBrowser } from './chromium.ts';

afterAll(closeBrowser);

/** A hostile page on another port: another origin, but the same site for cookies. */
async function evilSite(body: string): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''}`);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>evil</title><body>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}/`, seen };
}

/** A logged-in browser, and a permission that waits. */
async function victim(command = 'curl evil') {
  const daemon = await startDaemon(scratchHome());
  const { page } = await openPage();
  await page.goto(daemon.dashboardLink());
  await until(() => daemon.hub.approvals.surfaces() === 1);
  const asked = daemon.hub.call(bashCall(command, { hook_event_name: 'PermissionRequest' }));
  await page.locator('[data-card]').waitFor();
  const id = daemon.hub.approvals.queue.pending()[0]?.id ?? '';
  const key = await page.evaluate("localStorage.getItem('hookline.key')");
  onTestFinished(async () => {
    await page.close();
    await asked;
  });
  return { daemon, page, id, key: String(key) };
}

/** In the page of the attacker, who is even given the key. */
function tryFetch(page: Page, url: string, init: object): Promise<unknown> {
  const code = `fetch(${JSON.stringify(url)}, ${JSON.stringify({ credentials: 'include', ...init })})
    .then(async (r) => r.type + ' ' + r.status + ' ' + (await r.text()), () => 'failed')`;
  return page.evaluate(code);
}

testInBrowser('another origin cannot answer, read or log in', async () => {
  const { daemon, page, id, key } = await victim();
  const { http } = daemon.info;
  const site = await evilSite('');
  const attacker = await page.context().newPage();
  await attacker.goto(site.url);
  const body = '{"decision":"allow"}';
  const url = `${http}/api/approvals/${id}`;
  for (const init of [
    { method: 'POST', body },
    { method: 'POST', body, mode: 'no-cors', headers: { 'content-type': 'text/plain' } },
    { method: 'POST', body, headers: { 'x-hookline-key': key } },
  ])
    expect(await tryFetch(attacker, url, init)).toMatch(/^(failed|opaque 0 )$/);
  expect(await tryFetch(attacker, `${http}/api/overview`, {})).toBe('failed');
  expect(await tryFetch(attacker, `${http}/api/overview`, { mode: 'no-cors' })).toBe('failed');
  expect(await tryFetch(attacker, `${http}/api/overview`, { headers: { 'x-hookline-key': key } })).toBe(
    'failed',
  );
  // A form needs no leave to be sent.
  const submitted = await page.context().newPage();
  await submitted.goto(
    (
      await evilSite(
        `<form method=post enctype=text/plain action="${url}"><input name='{"decision":"allow","by":"' value='"}'></form>`,
      )
    ).url,
  );
  await submitted.evaluate('document.forms[0].submit()');
  await submitted.waitForURL(`${http}/**`);
  expect(await submitted.textContent('body')).toContain('Missing bearer token');
  expect(daemon.hub.approvals.queue.pending()).toHaveLength(1);
});

testInBrowser('a cookie seen by another port grants nothing', async () => {
  const { daemon, page } = await victim();
  const site = await evilSite('');
  const attacker = await page.context().newPage();
  await attacker.goto(site.url);
  const cookie = /hookline=[\w-]+/.exec(site.seen.join('\n'))?.[0];
  // Browsers do send it to any port of the host. This is why it is only half of the pass.
  expect(cookie).toBeDefined();
  for (const path of ['/api/overview', '/api/approvals', '/api/grants', '/api/events/call-1'])
    expect((await fetch(`${daemon.info.http}${path}`, { headers: { cookie: cookie ?? '' } })).status).toBe(
      401,
    );
  expect(await attacker.evaluate('document.cookie')).toBe('');
});

testInBrowser('cannot be shown in a frame', async () => {
  const { daemon, page } = await victim();
  const site = await evilSite(`<iframe src="${daemon.info.http}/"></iframe>`);
  const attacker = await page.context().newPage();
  const refused: string[] = [];
  attacker.on('console', (message) => refused.push(message.text()));
  await attacker.goto(site.url);
  await expect.poll(() => refused.join('\n')).toMatch(/frame-ancestors|X-Frame-Options/);
  expect(attacker.frames().map((frame) => frame.url())).not.toContain(`${daemon.info.http}/`);
});

testInBrowser('a host name rebound to this machine gets nothing', async () => {
  const { daemon } = await victim();
  const { port } = new URL(daemon.info.http);
  const context = await (await openBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // Every name below localhost is this machine to a browser, as a rebound name would be.
  const response = await page.goto(`http://rebound.localhost:${port}/`);
  expect(response?.status()).toBe(403);
  expect(await tryFetch(page, '/api/overview', {})).toContain(' 403 ');
});

testInBrowser('rejects a socket from another site', async () => {
  const { daemon, page, key } = await victim();
  const site = await evilSite('');
  const attacker = await page.context().newPage();
  await attacker.goto(site.url);
  const url = `${daemon.info.http.replace('http', 'ws')}/api/feed?surface=x`;
  const outcome = await attacker.evaluate(`new Promise((resolve) => {
    const socket = new WebSocket(${JSON.stringify(url)}, [${JSON.stringify(`hookline.${key}`)}]);
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  })`);
  expect(outcome).toBe('refused');
  expect(daemon.hub.approvals.surfaces()).toBe(1);
});

testInBrowser('shows markup in every field as text', async () => {
  const bad = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script><svg onload=window.hacked=1>`;
  const daemon = await startDaemon(scratchHome());
  const { page, complaints } = await openPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  let calls = 0;
  const call = (payload: object) => {
    calls += 1;
    const common = { session_id: `s ${bad}`, cwd: `/${bad}`, prompt_id: bad, permission_mode: bad };
    return daemon.hub.call({
      id: `call ${bad} ${calls}`,
      receivedAt: Date.now(),
      agent: 'claude',
      event: null,
      env: {},
      payload: { ...common, ...payload },
    });
  };
  await call({ hook_event_name: 'SessionStart', source: bad, model: bad });
  await call({ hook_event_name: 'UserPromptSubmit', prompt: bad });
  for (const [tool_name, tool_input] of [
    ['Bash', { command: bad, description: bad }],
    ['Edit', { file_path: `/${bad}`, old_string: bad, new_string: `${bad}!` }],
    [`mcp__${bad}__x`, { [bad]: bad }],
    [bad, { x: bad }],
  ] as const) {
    const tool = { tool_name, tool_input, tool_use_id: bad };
    await call({ hook_event_name: 'PreToolUse', ...tool });
    await call({ hook_event_name: 'PostToolUse', ...tool, tool_response: { stdout: bad, stderr: bad } });
  }
  await call({ hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: bad });
  await call({ hook_event_name: bad });
  // Only now: while the page is open, what the rules find odd about such commands would wait for an answer.
  await page.goto(daemon.dashboardLink());
  await until(() => daemon.hub.approvals.surfaces() === 1);
  const options = [{ label: bad, description: bad }];
  const waiting = [
    call({ hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: bad } }),
    call({ hook_event_name: 'PermissionRequest', tool_name: 'ExitPlanMode', tool_input: { plan: bad } }),
    call({
      hook_event_name: 'PermissionRequest',
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ question: bad, header: bad, options, multiSelect: false }] },
    }),
  ];
  await expect.poll(() => page.locator('[data-item]').count()).toBe(3);
  for (const item of await page.locator('[data-item]').all()) {
    await item.click();
    await page.locator('[data-more]').click();
  }
  const session = encodeURIComponent(`s ${bad}`);
  const event = encodeURIComponent(`call ${bad} 3`);
  for (const place of [
    '/',
    '/sessions',
    `/session/claude/${session}`,
    `/event/${event}`,
    '/search',
    '/rules',
    '/rules/grants',
    '/rules/learned',
    `/rules/new/${encodeURIComponent(bad)}`,
    `/rules/rule/${encodeURIComponent(bad)}`,
    '/health',
    `/${bad}`,
  ]) {
    await page.evaluate(`window.location.hash = ${JSON.stringify(place)}`);
    await loaded(page);
    if (place.startsWith('/session/'))
      for (const call of await page.locator('[data-call]').all()) {
        await call.click();
        for (const tab of await page.locator('.panel [role=tab]').all()) await tab.click();
      }
    if (place === '/search') await page.locator('[data-search]').fill('onerror');
    await loaded(page);
    expect(
      await page.evaluate("document.querySelectorAll('#app img, #app script, #app svg[onload]').length"),
    ).toBe(0);
  }
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(asked.filter((url) => !url.startsWith(daemon.info.http))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
  await Promise.all(waiting);
});

testInBrowser('shows direction overrides, and half a character does not break the card', async () => {
  const { page } = await victim('rm -rf x \u202e y \ud800');
  await page.locator('[data-card]').getByText('\\u202e').first().waitFor();
  await page.locator('[data-more]').first().click();
  await page.getByText('Create a rule from this').waitFor();
});
