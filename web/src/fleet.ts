import { useEffect, useState } from 'preact/hooks';
import type { NamedFleetEvent } from '../../src/fleet/machines/follow-machines.ts';
import type { FleetFeed } from '../../src/fleet/machines/view.ts';
import { messageOf } from '../../src/model/errors.ts';
import { get, has } from './api.ts';
import type { Loaded } from './hooks.ts';

const isFeed = has<FleetFeed>('events', 'last', 'counts');
const LOOK_MS = 2_000;
/** Until the first events arrive. */
const FIRST_LOOK_MS = 400;
const KEPT = 500;

/** The events of all machines, polled for new ones. */
export function useFleetFeed(): Loaded<FleetFeed> {
  const [loaded, setLoaded] = useState<Loaded<FleetFeed>>({ state: 'loading' });
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    let last = 0;
    let kept: readonly NamedFleetEvent[] = [];
    async function look(): Promise<void> {
      try {
        const feed = await get(`/api/fleet/feed?after=${last}`, isFeed);
        // A feed that starts over sends everything it has.
        kept = (feed.last < last ? feed.events : [...kept, ...feed.events]).slice(-KEPT);
        last = feed.last;
        if (!isGone) setLoaded({ state: 'there', value: { ...feed, events: kept } });
      } catch (error) {
        if (!isGone) setLoaded({ state: 'failed', message: messageOf(error) });
      }
      if (!isGone) timer = window.setTimeout(look, last === 0 ? FIRST_LOOK_MS : LOOK_MS);
    }
    void look();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, []);
  return loaded;
}
