import type { KnipConfig } from 'knip';

/**
 * `npm run check` runs it twice: for code that is not used at all and, with --production, for code that only tests use.
 * There, an export that its own file uses is not dead code, and one marked `@internal` is meant for tests.
 */
const config: KnipConfig = {
  // Files that are loaded without an import. A `!` at the end marks a part of the product.
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
  // test/needs.ts lists programs of the system.
  exclude: ['binaries'],
  ignoreExportsUsedInFile: process.argv.includes('--production'),
};

export default config;
