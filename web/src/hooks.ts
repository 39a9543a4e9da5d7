import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Only } from '../../src/approvals/limits.ts';
import { messageOf } from '../../src/model/errors.ts';
import { get } from './api.ts';
import type { Live, LiveState } from './live.ts';

export const LiveContext = createContext<Live | null>(null);

export function useLive(): { readonly live: Live; readonly state: LiveState } {
  const live = useContext(LiveContext);
  if (!live) throw new Error('no live state above this component');
  const [state, setState] = useState(live.state());
  useEffect(() => {
    const update = () => setState(live.state());
    const stop = live.subscribe(update);
    // Effects run after the first paint: changes before that were missed.
    update();
    return stop;
  }, [live]);
  return { live, state };
}

/** The answers that this device may give; any on the machine itself. */
export function useOnly(): Only {
  return useLive().state.device?.only ?? 'any';
}

/** The part of the address after the #, which names the view. */
export function useRoute(): string {
  const read = () => window.location.hash.replace(/^#/, '') || '/';
  const [route, setRoute] = useState(read());
  useEffect(() => {
    const changed = () => setRoute(read());
    window.addEventListener('hashchange', changed);
    changed();
    return () => window.removeEventListener('hashchange', changed);
  }, []);
  return route;
}

/** The text once it hasn't changed for a while, so that typing doesn't send a request per key. */
export function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), ms);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'there'; readonly value: T };

/** Loads a path, and loads it again when `again` changes. The old value stays until the new one arrives. */
export function useAsked<T>(
  path: string | null,
  is: (value: unknown) => value is T,
  again: unknown = null,
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>({ state: 'loading' });
  useEffect(() => {
    if (path === null) return;
    let gone = false;
    get(path, is).then(
      (value) => gone || setLoaded({ state: 'there', value, path }),
      (error: unknown) => gone || setLoaded({ state: 'failed', message: messageOf(error), path }),
    );
    return () => {
      gone = true;
    };
  }, [path, again]);
  return loaded.path === path ? loaded : { state: 'loading' };
}

/** The current time, updated at an interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Runs the action of a button, keeps a note of its result, and then calls `onDone`. */
export function useNoted(
  onDone: () => void,
): readonly [note: string, run: (work: () => Promise<string>) => void] {
  const [note, setNote] = useState('');
  const run = (work: () => Promise<string>) =>
    void work()
      .catch(messageOf)
      .then((text) => {
        setNote(text);
        onDone();
      });
  return [note, run];
}
