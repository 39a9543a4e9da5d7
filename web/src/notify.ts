import type { ShownApproval } from '../../src/approvals/approval.ts';

const KEY = 'hookline.notify';

/** Whether this browser can show notifications at all. */
export const canNotify = (): boolean => 'Notification' in window && window.isSecureContext;

/** Whether the user wants them here. */
export const isNotifying = (): boolean =>
  canNotify() && Notification.permission === 'granted' && window.localStorage.getItem(KEY) === 'on';

/** Asks the browser for permission, which only works after a click. */
export async function startNotifying(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  window.localStorage.setItem(KEY, 'on');
  return true;
}

export function stopNotifying(): void {
  window.localStorage.removeItem(KEY);
}

/** The new approvals. */
export function arrived(
  before: readonly Pick<ShownApproval, 'id'>[],
  now: readonly ShownApproval[],
): readonly ShownApproval[] {
  const known = new Set(before.map(({ id }) => id));
  return now.filter(({ id }) => !known.has(id));
}

/** Shows nothing while the page itself is visible. */
export async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!isNotifying() || document.visibilityState === 'visible') return;
  const options = { body, tag, icon: '/icon-192.png' };
  const worker = await navigator.serviceWorker?.getRegistration();
  // On phones only a worker can show one.
  if (worker?.active) await worker.showNotification(title, options);
  else new Notification(title, options).onclick = () => window.focus();
}
