import type { Client } from '../client.ts';
import { openCodeClient } from '../opencode/client.ts';

export const kilo: Client = {
  ...openCodeClient({ id: 'kilo', folder: 'kilo', envPrefix: 'KILO' }),
  callsHome: /\bkilo(?:code)?\.ai\b|posthog|models\.dev/,
};
