import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { limitText } from '../../src/approvals/limits.ts';
import { alertText, UNCONFIRMED } from '../../src/model/alert.ts';
import { awayText, stillAway } from '../../src/model/people/away.ts';
import { stillUnlocked, unlockedText } from '../../src/model/people/unlocked.ts';
import { useLive, useNow, useRoute } from './hooks.ts';
import type { LiveState } from './live.ts';
import { Key } from './parts/bits.tsx';
import { Help } from './parts/help.tsx';
import { Icon, type IconName } from './parts/icons.tsx';
import { NotifyButton } from './parts/notify.tsx';
import { Pending } from './parts/pending.tsx';
import { ThemeButton } from './parts/theme.tsx';
import { requestsOf } from './requests.ts';
import { EventView } from './views/event.tsx';
import { FleetView } from './views/fleet.tsx';
import { HealthView } from './views/health.tsx';
import { NowView } from './views/now.tsx';
import { Out } from './views/out.tsx';
import { RulesView } from './views/rules.tsx';
import { SearchView } from './views/search.tsx';
import { SessionView } from './views/session.tsx';
import { SessionsView } from './views/sessions.tsx';

/** Shown only on a machine that is in a fleet. */
const FLEET = '/fleet';

const PLACES: readonly (readonly [route: string, name: string, icon: IconName])[] = [
  ['/', 'Now', 'now'],
  ['/sessions', 'Sessions', 'sessions'],
  ['/search', 'Search', 'search'],
  ['/rules', 'Rules', 'rules'],
  ['/health', 'Health', 'health'],
  [FLEET, 'Fleet', 'fleet'],
];

/** The views of a device that may see only certain projects. */
const OF_PROJECTS: ReadonlySet<string> = new Set(['/', '/sessions']);

export function App({ expired }: { expired: boolean }): JSX.Element {
  const { state } = useLive();
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  useTitle(route, requestsOf(state.pending).length);
  useStartOfPlace(route, main);

  if (state.phase === 'out') return <Out expired={expired} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Header route={route} />
      <Unlocked />
      <Away />
      <Alerts />
      <p class="unseen" role="status" aria-live="polite">
        {state.note}
      </p>
      <main
        ref={main}
        tabIndex={-1}
        id="main"
        class={route.startsWith('/session/') || route.startsWith('/rules') ? 'wide' : 'page'}
      >
        {state.phase === 'loading' ? (
          <p class="quiet none">Connecting to the daemon…</p>
        ) : (
          <Place route={route} />
        )}
        {state.device && (
          <p class="quiet sm device">
            {state.device.name} {limitText(state.device)}.
          </p>
        )}
      </main>
    </>
  );
}

function useTitle(route: string, pending: number): void {
  useEffect(() => {
    const place = PLACES.find(([path]) => isAt(route, path))?.[1] ?? 'Hookline';
    document.title = `${pending > 0 ? `(${pending}) ` : ''}${place} · Hookline`;
  }, [pending, route]);
}

/** Starts each view at its top, so that screen readers read it from the beginning. */
function useStartOfPlace(route: string, main: RefObject<HTMLElement | null>): void {
  const shown = useRef(placeOf(route));
  useEffect(() => {
    if (shown.current === placeOf(route)) return;
    shown.current = placeOf(route);
    // A view that focused its input keeps the focus.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [route]);
}

/** A selection within a view does not make another view. */
const placeOf = (route: string): string =>
  /^\/(?:search|rules)/.exec(route)?.[0] ?? route.split('?')[0] ?? '';

function Header({ route }: { route: string }): JSX.Element {
  const { live, state } = useLive();
  const pending = requestsOf(state.pending).length;
  return (
    <header class="top">
      <a class="brand" href="#/">
        <Icon name="hook" /> Hookline
      </a>
      <nav class="places" aria-label="Views">
        {PLACES.filter(([path]) => isShown(path, state)).map(([path, name, icon]) => (
          <a key={path} href={`#${path}`} aria-current={isAt(route, path) ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{name}</span>
            {path === '/' && pending > 0 && (
              <span class="badge">
                {pending}
                <span class="unseen"> pending</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      {!state.device?.projects && (
        <a class="find" href="#/search">
          <Icon name="search" />
          <span class="cut">Find a prompt, command, file</span>
          <Key>/</Key>
        </a>
      )}
      <span class="connection" role="status">
        <span class={`dot ${state.connected ? 'allowed' : 'denied'}`} />
        {state.connected ? 'Live' : 'Not connected'}
      </span>
      <span class="top-buttons">
        <NotifyButton />
        <ThemeButton />
        <Help />
        <button type="button" class="icon-button" aria-label="Log out" onClick={() => void live.leave()}>
          <Icon name="leave" />
        </button>
      </span>
    </header>
  );
}

function Unlocked(): JSX.Element | null {
  const { state } = useLive();
  const until = stillUnlocked(state.unlockedUntil, useNow(1_000));
  return until === null ? null : <p class="banner">{unlockedText(until)}</p>;
}

function Away(): JSX.Element | null {
  const away = stillAway(useLive().state.away, useNow(1_000));
  return away === null ? null : <p class="banner">{awayText(away)}</p>;
}

/** Problems with the home. Notices are listed with the calls instead. */
function Alerts(): JSX.Element {
  const problems = useLive().state.alerts.filter(({ level }) => level === 'problem');
  return (
    <>
      {problems.map((alert) =>
        alert.code === UNCONFIRMED ? (
          <Pending key={alert.code} alert={alert} />
        ) : (
          <p key={alert.at + alert.code} class="banner" role="alert">
            {alertText(alert)}
          </p>
        ),
      )}
    </>
  );
}

function isShown(path: string, { device, fleet }: Pick<LiveState, 'device' | 'fleet'>): boolean {
  if (path === FLEET) return fleet;
  return !device?.projects || OF_PROJECTS.has(path);
}

function isAt(route: string, path: string): boolean {
  return path === '/'
    ? route === '/'
    : route.startsWith(path) || (path === '/sessions' && /^\/(?:session|event)\//.test(route));
}

function Place({ route }: { route: string }): JSX.Element {
  const [, place = '', first = '', second = '', third = ''] = route.split('/').map(decoded);
  switch (place) {
    case '':
      return <NowView />;
    case 'sessions':
      return <SessionsView source={first || null} />;
    case 'session':
      return <SessionView key={`${first}/${second}`} source={first} id={second} wanted={third || null} />;
    case 'event':
      return <EventView key={route} id={first} />;
    case 'search':
      return <SearchView asked={first} />;
    case 'rules':
      return <RulesView tab={first} wanted={second || null} />;
    case 'health':
      return <HealthView />;
    case 'fleet':
      return <FleetView />;
    default:
      return <p class="quiet none">Page not found.</p>;
  }
}

/** A typed address can be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
