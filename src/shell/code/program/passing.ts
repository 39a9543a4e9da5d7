import { isHere, readUrl } from '../../disposable/addresses.ts';
import { isKept, isPassing } from '../../disposable/place-names.ts';
import type { Thing } from './thing.ts';

const IN_MEMORY = /^(?::memory:|file::memory:.*|sqlite(?:\+\w+)?:\/\/(?:\/?:memory:)?)$/;

/** True if a resource is disposable: in memory, behind an emulator, or local with a disposable name. */
export function isPassingPlace({ service, places, names, isVague }: Thing): boolean {
  if (places.some((place) => IN_MEMORY.test(place))) return true;
  const urls = places.filter((place) => /^[\w+.-]+:\/\//.test(place)).map((place) => readUrl(place));
  const hosts = places.filter((place) => isHere(place));
  if (!urls.every((url) => url !== null && isHere(url.host)) || urls.length + hosts.length === 0)
    return false;
  if (!service.rows) return true;
  const all = [...names, ...places, ...urls.flatMap((url) => url?.name ?? [])];
  return !isVague && all.some(isPassing) && !all.some(isKept);
}
