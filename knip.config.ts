import type { KnipConfig } from 'knip';

/**
 * `npm run check` asks twice: what does nobody use, tests included, and, with --production, what is there only for tests.
 * There, an export that its own file uses as well is no dead code; one that says `@internal` is meant for tests.
 */
const config: KnipConfig = {
  // What is loaded by a name that no import has. A `!` at the end: it is a part of the product.
  entry: [
    'src/agents/*/{host,loader,package}.ts!',
    'src/knowledge/compile.ts!',
    'web/src/{main,pair,worker}.{ts,tsx}!',
    'scripts/**/*.js',
    'scripts/packs-entry.ts!',
    'test/{bench/benches,golden,score}/{*-entry,main}.ts',
    'test/fleet/simulation.ts',
    'test/upgrade/write-home.js',
    '.ci/*.js',
  ],
  project: ['{src,web/src}/**!', '!{src,web/src}/**/*.test.{ts,tsx}!', '{test,scripts,.ci}/**'],
  ignore: ['scripts/new-agent/agent/**', 'test/upgrade/homes/**'],
  ignoreDependencies: [
    // Run by scripts/check.js.
    '@arethetypeswrong/cli',
    // Read as a file.
    'axe-core',
  ],
  // Programs of the system are in test/needs.ts.
  exclude: ['binaries'],
  ignoreExportsUsedInFile: process.argv.includes('--production'),
};

export default config;
