import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/clients/**', 'test/package/**', '**/node_modules/**'],
    testTimeout: 30_000,
    // The suites start real processes; two cores do not like more than two at once.
    maxWorkers: 2,
  },
});

export default config;
