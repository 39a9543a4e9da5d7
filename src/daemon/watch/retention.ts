import type { OpenHome } from '../../home/open.ts';
import { messageOf } from '../../model/errors.ts';
import { prune } from '../../store/forget.ts';

const DAY_MS = 86_400_000;

/** Prunes what exceeds the limits, now and once a day. Returns the function that stops it. */
export function startRetention(home: OpenHome): () => void {
  const clean = () => {
    const { retention } = home.config;
    if (retention.days === null && retention.megabytes === null) return;
    try {
      const { events, sessions } = prune(home.db, retention, Date.now(), home.signer);
      home.deleted();
      if (events > 0) home.log('info', 'pruned', { events, sessions });
    } catch (error) {
      home.log('error', `can't prune the history: ${messageOf(error)}`);
    }
  };
  const first = setImmediate(clean);
  const timer = setInterval(clean, DAY_MS);
  timer.unref();
  return () => {
    clearImmediate(first);
    clearInterval(timer);
  };
}
