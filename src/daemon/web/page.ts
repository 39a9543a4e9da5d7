import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Context, Hono } from 'hono';
import { HooklineError } from '../../model/errors.ts';
import type { Access } from '../../model/people/access.ts';
import { PASS_LIFETIME_MS, type WebAccess } from '../http/browser-access.ts';
import { cookieOf, EVERYWHERE, pageHeaders, setCookie } from '../http/gate.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** The build puts the page next to the bundle; when run from source, it is in the output of the last build. */
function pageFolder(): URL {
  const beside = new URL('./web/', import.meta.url);
  return existsSync(beside) ? beside : new URL('../../../dist/web/', import.meta.url);
}

/** All files of the page by path. Only listed files are served, so no path leads out of the directory. */
export function readPage(folder: URL = pageFolder()): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(entry)];
    if (type === undefined) continue;
    const path = entry.replaceAll('\\', '/');
    files.set(path === 'index.html' ? '/' : `/${path}`, {
      body: new Uint8Array(readFileSync(new URL(path, folder))),
      type,
    });
  }
  return files;
}

/**
 * The dashboard's files and its login. The files contain nothing about this machine, so they need no pass; the API
 * supplies the data.
 */
export function webRoutes(access: WebAccess): Hono {
  const web = new Hono();
  let page: ReadonlyMap<string, PageFile> = new Map();

  web.get('/login', (c) => {
    const pass = access.redeem(c.req.query('code') ?? '');
    // Browsers send nothing after # to a server, so only the page gets the key.
    c.header('set-cookie', pass ? setCookie(pass.cookie, PASS_LIFETIME_MS / 1000) : undefined);
    c.header('cache-control', 'no-store');
    for (const [name, value] of Object.entries(EVERYWHERE)) c.header(name, value);
    return c.redirect(pass ? `/#key=${pass.key}` : '/#expired', 303);
  });

  web.get('*', async (c, next) => {
    // A missing page may be built at any moment.
    if (page.size === 0) page = readPage();
    const file = page.get(c.req.path);
    if (file) {
      for (const [name, value] of Object.entries(pageHeaders(c.req.header('host') ?? '')))
        c.header(name, value);
      return sendFile(c, file);
    }
    if (c.req.path !== '/') return next();
    throw new HooklineError('NOT_FOUND', 'The dashboard is not built.', {
      hint: 'Run `npm run build` in the checkout.',
    });
  });
  return web;
}

export function sendFile(c: Context, file: PageFile): Response {
  // Asset names change with their content, and the page refers to them.
  const cached = c.req.path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
  return c.body(file.body, 200, {
    'content-type': file.type,
    'cache-control': cached,
  });
}

/** The login link for one browser, valid once. */
export function loginPath(access: WebAccess): string {
  return `/login?code=${access.issueCode()}`;
}

/** For a person: the login link for a browser. For a page: the logout. */
export function passRoutes(access: WebAccess, who: Access): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  routes.post('/login-link', guarded(who, 'dashboard'), (c) => c.json({ path: loginPath(access) }));
  routes.post('/logout', (c) => {
    access.leave(cookieOf(c.req.header('cookie')));
    c.header('set-cookie', setCookie('', 0));
    return c.json({ left: true });
  });
  return routes;
}
