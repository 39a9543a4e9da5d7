import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { propertySeed } from './test/properties/seed.ts';

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ['test/properties/setup.ts'],
    provide: { propertySeed: propertySeed(process.env.PROPERTY_SEED, console.log) },
    include: ['test/clients/**/*.test.ts'],
    globalSetup: ['test/clients/global-setup.ts'],
    // Every scenario has a home, a daemon and a model of its own, and spends most of its time on one core, starting a
    // real client or waiting for it: two files at a time, and patiently.
    maxWorkers: 2,
    testTimeout: 120_000,
    // A client that was slow to start on a busy machine gets a second chance; what is wrong fails twice.
    retry: 1,
  },
});

export default config;
