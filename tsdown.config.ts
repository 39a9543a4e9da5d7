import { defineConfig, type UserConfig } from 'tsdown';

const config: UserConfig = defineConfig({
  entry: {
    cli: 'src/cli/main.ts',
    help: 'src/cli/help.ts',
    forward: 'src/forwarder/forward.ts',
    'fallback-worker': 'src/forwarder/fallback-worker.ts',
    index: 'src/index.ts',
    'hook-worker': 'src/hooks/code/worker.ts',
    'hook-loader': 'src/hooks/code/loader.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Everything but the native SQLite is bundled: users install one package and get one version of each part.
  deps: { alwaysBundle: [/.*/], neverBundle: ['libsql', /^node:/] },
  // jsonc-parser's main entry asks for its parts by a require that no bundler can follow; its module entry does not.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  dts: false,
  fixedExtension: false,
  clean: true,
  outputOptions: { chunkFileNames: '[name]-[hash].js' },
  logLevel: 'warn',
});

export default config;
