const KEY = 'hookline.key';

/** Takes the key from the part of the address after the #, or learns that the link has expired. */
export function takePassFromAddress(): 'expired' | null {
  const { hash } = window.location;
  const given = /^#key=([\w-]+)$/.exec(hash)?.[1];
  if (given === undefined && hash !== '#expired') return null;
  // Neither must stay in the browser's history.
  window.history.replaceState(null, '', '/');
  if (given === undefined) return 'expired';
  window.localStorage.setItem(KEY, given);
  return null;
}

export function readKey(): string {
  return window.localStorage.getItem(KEY) ?? '';
}

export function dropKey(): void {
  window.localStorage.removeItem(KEY);
}
