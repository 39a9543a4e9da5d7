const KEY = 'hookline.key';

/** What stood behind the # when the page was opened: the key, or that the link was no good. */
export function takePassFromAddress(): 'expired' | null {
  const { hash } = window.location;
  const given = /^#key=([\w-]+)$/.exec(hash)?.[1];
  if (given === undefined && hash !== '#expired') return null;
  // Neither belongs into the history of the browser.
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
