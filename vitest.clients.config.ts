import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    globalSetup: ['test/clients/global-setup.ts'],
    // Every scenario starts a real client, a daemon and a process per hook: one at a time, and patiently.
    fileParallelism: false,
    testTimeout: 120_000,
    // A client that was slow to start on a busy machine gets a second chance; what is wrong fails twice.
    retry: 1,
  },
});

export default config;
