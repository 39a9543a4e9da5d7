import type { Client } from '../../sandbox/client.ts';
import { openCodeClient } from '../opencode/client.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const client: Client = {
  ...openCodeClient({ id: 'kilo', pin, contract, folder: 'kilo', envPrefix: 'KILO' }),
  callsHome: /\bkilo(?:code)?\.ai\b|posthog|models\.dev/,
};

export default client;
