import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';

const page = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    // The policy of the page admits nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The page to pair on shares nothing with the dashboard: a browser that is not paired gets no part of that.
    rolldownOptions: { input: ['index.html', 'pair.html'].map(page) },
  },
  logLevel: 'warn',
});

export default config;
