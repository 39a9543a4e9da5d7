import { warning } from '../../../agents/setup/findings.ts';
import { ntfyWarnings } from '../../../notify/secrets.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** Checks that only the user can answer over the configured channels. A channel that doesn't work is an alert. */
export function channels({ config }: Pick<Examined, 'config'>): readonly Diagnosis[] {
  const { ntfy } = config.notify;
  return ntfy ? ntfyWarnings(ntfy).map(({ code, message, fix }) => warning(code, message, fix)) : [];
}
