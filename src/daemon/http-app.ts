import { type ErrorHandler, Hono, type MiddlewareHandler, type NotFoundHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HooklineError } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import { isSameSecret } from '../platform/secrets.ts';
import { apiRoutes } from './api/api.ts';
import type { WebAccess } from './http/browser-access.ts';
import { EVERYWHERE, isFromPage } from './http/gate.ts';
import type { ApiEnv } from './http/guard.ts';
import { bearer } from './http/token.ts';
import { DISPATCHER_PATHS, hookRoutes } from './http-hooks.ts';
import { phoneRoutes } from './phone/manage-api.ts';
import type { Daemon } from './run-daemon.ts';
import { passRoutes, webRoutes } from './web/page.ts';
import { webApiRoutes } from './web/routes.ts';

/** Where dispatcher scripts check for a running server. */
const HEALTH = ['/admin/status', '/api/admin/health', '/api/admin/status'];

const MAX_QUERY_BYTES = 1 << 20;

/** Who gets access. */
interface Admission {
  readonly token: string;
  readonly access: WebAccess;
  isServed(host: string | undefined): boolean;
}

/** Everything served over HTTP, without the server. */
export function createHttpApp(daemon: Daemon, admission: Admission): Hono<ApiEnv> {
  const { config, log } = daemon.home;
  const { access } = admission;
  const app = new Hono<ApiEnv>();
  app.use(servedHosts(admission));
  app.route('/', webRoutes(access));
  app.use(admitted(admission, config.http.hooksWithoutToken));
  app.onError(errorAnswer(log));
  app.notFound(notFound);
  app.route('/', hookRoutes({ hub: daemon.hub, config, log }));
  // Dispatcher scripts ask here first, and let every call through unless the answer is 200.
  app.on('GET', HEALTH, (c) => c.json({ status: 'healthy' }));
  addApi(app, daemon, access);
  return app;
}

/** The API, the same on every transport. Each request is checked for its own permission. */
export function addApi<E extends ApiEnv>(app: Hono<E>, daemon: Daemon, web: WebAccess): void {
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: MAX_QUERY_BYTES,
      onError: (c) => c.json(refusal('USAGE', 'The body is too large.'), 413),
    }),
  );
  app.route('/api', apiRoutes(daemon));
  app.route('/api', passRoutes(web, daemon.access));
  app.route('/api', phoneRoutes(daemon.phone, daemon.access));
  app.route('/api', webApiRoutes(daemon));
}

export const notFound: NotFoundHandler = (c) =>
  c.json(refusal('NOT_FOUND', `Nothing found at ${c.req.path}.`), 404);

function servedHosts({ isServed }: Admission): MiddlewareHandler {
  return async (c, next) => {
    // A page that rebinds its own name to 127.0.0.1 still sends its own name here.
    if (!isServed(c.req.header('host')))
      return c.json(refusal('USAGE', 'Unknown host name.'), 403, EVERYWHERE);
    await next();
  };
}

const isForScripts = (path: string) =>
  HEALTH.includes(path) || path.startsWith('/hooks/') || path === DISPATCHER_PATHS.newer;

function admitted({ token, access }: Admission, hooksWithoutToken: boolean): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    // Scripts send no Origin; a page in a browser always does.
    const open = hooksWithoutToken && isForScripts(c.req.path) && c.req.header('origin') === undefined;
    const fromPage = isFromPage(c, access);
    if (!open && !isSameSecret(bearer(c.req.header('authorization')), token) && !fromPage) {
      return c.json(
        refusal('USAGE', "Missing bearer token. Read it from `run/token` in Hookline's home."),
        401,
        EVERYWHERE,
      );
    }
    c.set('identify', async () => ({ kind: fromPage ? 'dashboard' : 'token' }));
    await next();
    for (const [name, value] of Object.entries(EVERYWHERE)) c.header(name, value);
  };
}

const STATUS: Readonly<Record<string, 403 | 404>> = {
  NOT_FOUND: 404,
  AGENT_UNKNOWN: 404,
  NOT_A_PERSON: 403,
};

export function errorAnswer(log: Log): ErrorHandler {
  return (error, c) => {
    const known = error instanceof HooklineError;
    if (!known) log('error', error.message, { path: c.req.path });
    if (!known) return c.json(refusal('INTERNAL', error.message), 500);
    return c.json(refusal(error.code, error.message, error.hint), STATUS[error.code] ?? 400);
  };
}

function refusal(code: string, message: string, hint: string | null = null): object {
  return { error: { code, message, hint } };
}
