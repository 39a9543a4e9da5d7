import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { stillUnlocked, unlockedText } from '../../src/model/unlocked.ts';
import { useLive, useNow, useRoute } from './hooks.ts';
import { Help } from './parts/help.tsx';
import { EventView } from './views/event.tsx';
import { GrantsView } from './views/grants.tsx';
import { HealthView } from './views/health.tsx';
import { LiveView } from './views/live.tsx';
import { Out } from './views/out.tsx';
import { RulesView } from './views/rules.tsx';
import { SearchView } from './views/search.tsx';
import { SessionView } from './views/session.tsx';
import { SessionsView } from './views/sessions.tsx';

const PLACES: readonly (readonly [route: string, name: string])[] = [
  ['/', 'Live'],
  ['/sessions', 'Sessions'],
  ['/search', 'Search'],
  ['/rules', 'Rules'],
  ['/grants', 'Grants'],
  ['/health', 'Health'],
];

export function App({ expired }: { expired: boolean }): JSX.Element {
  const { state } = useLive();
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  useTitle(route, state.pending.length);
  useStartOfPlace(route, main);

  if (state.phase === 'out') return <Out expired={expired} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header route={route} />
      <Unlocked />
      <p class="unseen" role="status" aria-live="polite">
        {state.note}
      </p>
      <main ref={main} tabIndex={-1} id="main">
        {state.phase === 'loading' ? <p class="quiet">Waiting for the daemon…</p> : <Place route={route} />}
      </main>
    </>
  );
}

function useTitle(route: string, waiting: number): void {
  useEffect(() => {
    const place = PLACES.find(([path]) => path === route)?.[1] ?? 'Hookline';
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${place} · Hookline`;
  }, [waiting, route]);
}

/** Like a page of its own: who listens hears the new place from its beginning. */
function useStartOfPlace(route: string, main: RefObject<HTMLElement | null>): void {
  const shown = useRef(route);
  useEffect(() => {
    if (shown.current === route) return;
    shown.current = route;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [route]);
}

function Header({ route }: { route: string }): JSX.Element {
  const { live, state } = useLive();
  const waiting = state.pending.length;
  return (
    <header class="top">
      <a class="brand" href="#/">
        Hookline
      </a>
      <nav aria-label="Places">
        {PLACES.map(([path, name]) => (
          <a key={path} href={`#${path}`} aria-current={isAt(route, path) ? 'page' : undefined}>
            {name}
            {path === '/' && waiting > 0 && (
              <span class="badge">
                {waiting}
                <span class="unseen"> waiting</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <span class={state.connected ? 'link on' : 'link off'} role="status">
        {state.connected ? 'live' : 'not connected'}
      </span>
      <Help />
      <button type="button" class="quiet-button" onClick={() => void live.leave()}>
        Log out
      </button>
    </header>
  );
}

function Unlocked(): JSX.Element | null {
  const { state } = useLive();
  const until = stillUnlocked(state.unlockedUntil, useNow(1_000));
  return until === null ? null : <p class="trouble">{unlockedText(until)}</p>;
}

function isAt(route: string, path: string): boolean {
  return path === '/'
    ? route === '/'
    : route.startsWith(path) || (path === '/sessions' && route.startsWith('/session/'));
}

function Place({ route }: { route: string }): JSX.Element {
  const [, place = '', first = '', second = ''] = route.split('/').map(decoded);
  switch (place) {
    case '':
      return <LiveView />;
    case 'sessions':
      return <SessionsView source={first || null} />;
    case 'session':
      return <SessionView key={route} source={first} id={second} />;
    case 'event':
      return <EventView key={route} id={first} />;
    case 'search':
      return <SearchView />;
    case 'rules':
      return <RulesView wanted={first || null} />;
    case 'grants':
      return <GrantsView />;
    case 'health':
      return <HealthView />;
    default:
      return <p class="quiet">There is nothing at this address.</p>;
  }
}

/** Anybody may write an address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
