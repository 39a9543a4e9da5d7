import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { propertySeed } from './test/properties/seed.ts';

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    provide: { propertySeed: propertySeed(process.env.PROPERTY_SEED, console.log) },
    include: ['test/clients/**/*.test.ts'],
    name: 'clients',
    globalSetup: ['test/needs.ts', 'test/knowledge.ts', 'test/clients/global-setup.ts'],
    // Every scenario has a home, a daemon and a model of its own, and spends most of its time on one core, starting a
    // real client or waiting for it: two files at a time, and patiently.
    maxWorkers: 2,
    // To import the agents and the client takes each file a second or two.
    isolate: false,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

export default config;
