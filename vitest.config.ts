import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { propertyFiles } from './test/properties/files.ts';
import { propertySeed } from './test/properties/seed.ts';

/** The name of a test file says its tier: `x.product.test.ts`; without one it is a unit test. */
const filesOf = (tier: string) => ['src', 'web/src', 'test'].map((folder) => `${folder}/**/*${tier}.test.ts`);
const OTHER_CONFIGS = ['test/clients/**', 'test/package/**', '**/node_modules/**'];

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    provide: { propertySeed: propertySeed(process.env.PROPERTY_SEED, console.log) },
    // For `test:changed`: these are read, not imported, and every test of rules may depend on them.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/src/rules/packs/*.yaml',
      '**/knowledge/**/*.yaml',
    ],
    pool: 'forks',
    // Tests start processes and servers of their own: more than two files at once only wait for each other.
    maxWorkers: 2,
    // Longer than tests wait for something that is bound to happen, so that what did not happen is named.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: filesOf(''),
          globalSetup: ['test/knowledge.ts'],
          exclude: [...OTHER_CONFIGS, ...filesOf('.{product,deep,services}')],
          // A process that imports what it needs once runs the tier in a third of the time.
          isolate: false,
          alias: { 'fast-check': fileURLToPath(new URL('./test/properties/capped.ts', import.meta.url)) },
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: filesOf('.product'),
          globalSetup: ['test/needs.ts', 'test/knowledge.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          // Property tests again, with as many runs as they ask for.
          include: [...filesOf('.deep'), ...propertyFiles()],
          exclude: [...OTHER_CONFIGS, ...filesOf('.{product,services}')],
          globalSetup: ['test/needs.ts', 'test/knowledge.ts'],
          isolate: false,
          testTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: filesOf('.services'),
          globalSetup: ['test/needs.ts', 'test/knowledge.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});

export default config;
