import { messageOf } from '../model/errors.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { settledStamp } from '../platform/files.ts';
import type { Config } from './config.ts';
import type { Confirmed } from './confirmed/confirmed.ts';

/** What a running daemon takes on with the next call. The others need a new start: a port, say, is taken only once. */
type Live =
  | 'failure'
  | 'durability'
  | 'phone'
  | 'approvals'
  | 'packs'
  | 'disabledRules'
  | 'develop'
  | 'retention'
  | 'memory'
  | 'access'
  | 'former';

interface Listeners {
  changed(config: Config): void;
  /** The file can't be read; the previous settings still apply. */
  failed(problem: string): void;
}

interface LiveConfig {
  /** Each setting as it is at the time it is asked for. */
  readonly config: Config;
  /** All of them at once, with one look at the file. */
  now(): Config;
}

/**
 * The settings of a home as they are now, for a process that runs on. A file that cannot be read changes nothing, and
 * neither does one that is gone or empty, unless a person agrees: that is how a file looks while it is written.
 */
export function openLiveConfig(
  path: string,
  confirmed: Pick<Confirmed, 'version' | 'config'>,
  listeners: Listeners,
): LiveConfig {
  let text = readOwnFile(path) ?? '';
  const first = confirmed.config(text);
  let current = first;
  let stamp = settledStamp(path);
  let { version } = confirmed;
  const look = (): Config => {
    const seen = settledStamp(path);
    const isAgreed = confirmed.version === version;
    if (isAgreed && seen !== null && seen === stamp) return current;
    stamp = seen;
    version = confirmed.version;
    try {
      const found = readOwnFile(path) ?? '';
      if (isAgreed && (found === text || found.trim() === '')) return current;
      text = found;
      current = confirmed.config(found);
    } catch (error) {
      listeners.failed(messageOf(error));
      return current;
    }
    listeners.changed(current);
    return current;
  };
  return { config: liveConfig(first, look), now: look };
}

function liveConfig(first: Config, look: () => Config): Config {
  const live = <K extends Live>(key: K): Config[K] => look()[key];
  return {
    http: first.http,
    notify: first.notify,
    get failure() {
      return live('failure');
    },
    get durability() {
      return live('durability');
    },
    get phone() {
      return live('phone');
    },
    get approvals() {
      return live('approvals');
    },
    get packs() {
      return live('packs');
    },
    get disabledRules() {
      return live('disabledRules');
    },
    get develop() {
      return live('develop');
    },
    get retention() {
      return live('retention');
    },
    get memory() {
      return live('memory');
    },
    get access() {
      return live('access');
    },
    get former() {
      return live('former');
    },
  };
}
