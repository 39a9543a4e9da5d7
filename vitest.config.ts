import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { propertySeed } from './test/properties/seed.ts';

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ['test/properties/setup.ts'],
    provide: { propertySeed: propertySeed(process.env.PROPERTY_SEED, console.log) },
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/clients/**', 'test/package/**', '**/node_modules/**'],
    testTimeout: 30_000,
    // The suites start real processes; two cores do not like more than two at once.
    maxWorkers: 2,
    // Most tests start real processes. One that fails on a busy machine gets a second chance there; what is wrong fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});

export default config;
