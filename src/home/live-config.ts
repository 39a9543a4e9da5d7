import { messageOf } from '../model/errors.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { settledStamp } from '../platform/files.ts';
import type { Config } from './config.ts';
import type { Confirmed } from './confirmed/confirmed.ts';

/**
 * Settings that a running daemon applies with the next call. The others need a restart; a port, for example, is
 * opened only once.
 */
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
  /** Getters that read each setting when it is used. */
  readonly config: Config;
  /** All settings, with one check of the file. */
  now(): Config;
}

/**
 * The current settings of a home, for a long-running process. An unreadable file changes nothing. Neither does a
 * missing or empty one, unless a person agrees, because a file looks like that while it is written.
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
