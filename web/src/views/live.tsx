import type { JSX } from 'preact';
import { Feed } from '../parts/feed.tsx';
import { Inbox } from '../parts/inbox.tsx';
import { Lanes } from '../parts/lanes.tsx';

export function LiveView(): JSX.Element {
  return (
    <div class="live">
      <h1 class="unseen">Live</h1>
      <Inbox />
      <div class="stream">
        <Lanes />
        <Feed />
      </div>
    </div>
  );
}
