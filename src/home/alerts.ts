import type { Alert, Alerts } from '../model/alert.ts';
import type { Log } from '../model/log.ts';

const MOST = 20;

export function createAlerts(log: Log): Alerts {
  let alerts: readonly Alert[] = [];
  const listeners = new Set<(alert: Alert | null) => void>();
  return {
    raise(given) {
      const alert = { ...given, at: new Date().toISOString() };
      log('warning', alert.message, { code: alert.code, fix: alert.fix });
      const others = alerts.filter(({ code, message }) => code !== alert.code || message !== alert.message);
      alerts = [...others, alert].slice(-MOST);
      for (const listener of listeners) listener(alert);
    },
    clear(code) {
      const left = alerts.filter((alert) => alert.code !== code);
      if (left.length === alerts.length) return;
      alerts = left;
      for (const listener of listeners) listener(null);
    },
    list: () => alerts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
