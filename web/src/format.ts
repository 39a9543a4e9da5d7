/** 14:03:09 */
export function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** Today by the clock, any other day by its date. */
export function moment(at: number, now: number = Date.now()): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return new Date(now).toDateString() === date.toDateString() ? clock(at) : `${day} ${clock(at).slice(0, 5)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** How long ago, roughly. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

export function sessionLink(one: { readonly source: string; readonly sessionId: string }): string {
  return `#/session/${encodeURIComponent(one.source)}/${encodeURIComponent(one.sessionId)}`;
}

export function eventLink(id: string): string {
  return `#/event/${encodeURIComponent(id)}`;
}
