import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { CODE_LIFETIME_MS, createWebAccess, PASS_LIFETIME_MS } from '../http/browser-access.ts';
import { readPage } from './page.ts';

async function opened() {
  const daemon = await startDaemon(scratchHome());
  const { http } = daemon.info;
  const link = daemon.dashboardLink;
  const logIn = async () => {
    const response = await fetch(link(), { redirect: 'manual' });
    const cookie = response.headers.get('set-cookie') ?? '';
    const key = response.headers.get('location')?.replace('/#key=', '') ?? '';
    return { response, cookie, page: { cookie: cookie.split(';')[0] ?? '', 'x-hookline-key': key }, key };
  };
  return { daemon, http, link, logIn };
}

describe('the way in', () => {
  test('a link admits one browser, once', async () => {
    const { http, link } = await opened();
    const url = link();
    const first = await fetch(url, { redirect: 'manual' });
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toMatch(/^\/#key=[\w-]{43}$/);
    expect(first.headers.get('set-cookie')).toMatch(
      /^hookline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    for (const again of [url, `${http}/login?code=guess`, `${http}/login`]) {
      const refused = await fetch(again, { redirect: 'manual' });
      expect(refused.headers.get('location')).toBe('/#expired');
      expect(refused.headers.get('set-cookie')).toBeNull();
    }
  });

  test('codes and passes expire', () => {
    let now = 0;
    const access = createWebAccess(() => now);
    const late = access.issueCode();
    now += CODE_LIFETIME_MS + 1;
    expect(access.redeem(late)).toBeNull();
    const pass = access.redeem(access.issueCode());
    expect(pass && access.admits(pass.cookie, pass.key)).toBe(true);
    expect(pass && access.admits(pass.cookie, 'x')).toBe(false);
    expect(pass && access.admits(pass.key, pass.key)).toBe(false);
    now += PASS_LIFETIME_MS + 1;
    expect(pass && access.admits(pass.cookie, pass.key)).toBe(false);
  });

  test('reading needs both cookie and key', async () => {
    const { http, logIn } = await opened();
    const { page } = await logIn();
    expect((await fetch(`${http}/api/overview`, { headers: page })).status).toBe(200);
    for (const headers of [
      { cookie: page.cookie },
      { 'x-hookline-key': page['x-hookline-key'] },
      { ...page, 'x-hookline-key': 'wrong' },
      { ...page, origin: 'http://evil.example' },
      { ...page, origin: 'null' },
      { ...page, origin: http.replace(/\d+$/, '1') },
    ])
      expect((await fetch(`${http}/api/overview`, { headers })).status).toBe(401);
  });

  test('logging out ends access', async () => {
    const { http, logIn } = await opened();
    const { page } = await logIn();
    const headers = { ...page, origin: http };
    expect((await fetch(`${http}/api/logout`, { method: 'POST', headers })).status).toBe(200);
    expect((await fetch(`${http}/api/overview`, { headers: page })).status).toBe(401);
  });
});

describe('changes from a page', () => {
  test('require our own origin and are limited to what pages may do', async () => {
    const { http, logIn } = await opened();
    const { page } = await logIn();
    const post = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${http}${path}`, { method: 'POST', headers, body: '{"decision":"allow"}' })).status;
    const ours = { ...page, origin: http };
    expect(await post('/api/approvals/none', ours)).toBe(404);
    expect(await post('/api/approvals/none', page)).toBe(401);
    expect(await post('/api/approvals/none', { ...page, origin: 'http://evil.example' })).toBe(401);
    for (const path of ['/api/shutdown', '/api/forget', '/api/prune', '/api/login-link', '/hooks/claude'])
      expect([path, await post(path, ours)]).toEqual([path, 401]);
  });

  test('the live feed requires our origin, cookie and key, and keeps approvals pending', async () => {
    const { daemon, http, logIn } = await opened();
    const { page, key } = await logIn();
    const open = (protocol: string, headers: Record<string, string>) =>
      new WebSocket(`${http.replace('http', 'ws')}/api/feed?surface=dashboard&brief`, [protocol], {
        headers,
      });
    for (const [protocol, headers] of [
      [`hookline.${key}`, { cookie: page.cookie, origin: 'http://evil.example' }],
      [`hookline.${key}`, { cookie: page.cookie }],
      [`hookline.${key}`, { origin: http }],
      ['hookline.wrong', { cookie: page.cookie, origin: http }],
    ] as const) {
      const [refused] = await once(open(protocol, headers), 'error');
      expect(String(refused)).toContain('401');
    }
    expect(daemon.hub.approvals.surfaces()).toBe(0);
    const socket = open(`hookline.${key}`, { cookie: page.cookie, origin: http });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    await until(() => daemon.hub.approvals.surfaces() === 1);
    socket.close();
    await until(() => daemon.hub.approvals.surfaces() === 0);
  });
});

describe('the files', () => {
  test('serves only files of the directory, by their names', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'web', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'secret.html'), 'secret');
    for (const name of ['index.html', 'assets/a.js', 'assets/a.css', 'assets/a.js.map', 'x.txt'])
      writeFileSync(join(folder, 'web', name), name);
    const page = readPage(pathToFileURL(`${folder}/web/`));
    expect([...page.keys()].sort()).toEqual(['/', '/assets/a.css', '/assets/a.js']);
  });

  test('sends headers that keep out everything else', async () => {
    const { http } = await opened();
    const response = await fetch(`${http}/`);
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy.replaceAll(http.replace('http', 'ws'), '')).not.toMatch(/https?:|ws:|\*/);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|style=|\bon\w+=|https?:\/\//);
  });
});
