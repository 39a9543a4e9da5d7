import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';

const yamlModules = fileURLToPath(new URL('./node_modules/yaml/browser/dist/index.js', import.meta.url));

/** A text with one character beyond these takes twice the memory in V8, and ten times as long to read. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_: unknown, files: Record<string, { type: string; code?: string }>): void {
    for (const file of Object.values(files))
      if (file.code !== undefined) file.code = file.code.replaceAll(/[^\0-\x7F]/g, escaped);
  },
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const shared: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Everything but the native SQLite is bundled: users install one package and get one version of each part. The client of
  // PostgreSQL has a native part as well, which it does without.
  deps: { alwaysBundle: [/.*/], neverBundle: ['libsql', 'pg-native', /^node:/] },
  // jsonc-parser's main entry asks for its parts by a require that no bundler can follow; its module entry does not.
  // What yaml gives Node is CommonJS: in a bundle each of its files is a function, which takes twice as long to load.
  inputOptions: { resolve: { mainFields: ['module', 'main'], alias: { yaml: yamlModules } } },
  dts: false,
  fixedExtension: false,
  plugins: [asciiOnly],
  // Comments are read at each start; licences stay.
  outputOptions: { comments: { legal: true, annotation: false, jsdoc: false } },
  // Both write to one folder, which the build empties.
  clean: false,
  logLevel: 'warn',
};

/** What both need is in both: a file of its own for that would be loaded at each call. */
const seldomBeside = {
  name: 'seldom-beside',
  resolveId: (id: string) =>
    id.endsWith('/seldom.ts') ? { id: './forward-seldom.cjs', external: true } : null,
};

/**
 * What is loaded as one file: these files and folders of src, and what they import and no part before has. Each file more
 * is felt, and so is each that is larger than what is needed of it.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  base: [
    'cli/dispatch.ts',
    'cli/approvals/approvals.ts',
    'cli/history/events.ts',
    'cli/history/why.ts',
    'model/',
    'platform/',
    'terminal/',
    'store/checkpointed.ts',
    'store/database/driver.ts',
    'store/repair/database-files.ts',
  ],
  answers: [
    'cli/approvals/approve.ts',
    'cli/approvals/back.ts',
    'cli/approvals/deny.ts',
    'cli/approvals/leave.ts',
    'cli/approvals/script-key.ts',
    'cli/approvals/unlock.ts',
    'cli/daemon/open.ts',
    'cli/history/verify.ts',
    'cli/rules/trust.ts',
  ],
  settings: ['home/config.ts', 'home/confirmed/unchanged.ts'],
  redact: ['redact/redact.ts', 'store/record/event-row.ts', 'wire/protocol.ts'],
  agents: ['agents/_registry.ts'],
  status: ['cli/agents/matrix.ts', 'cli/daemon/status.ts', 'cli/setup/completions.ts'],
  shell: ['cli/approvals/away.ts', 'cli/history/share.ts'],
  judge: ['cli/rules/try.ts', 'home/engine.ts'],
  setup: [
    'cli/approvals/notify.ts',
    'cli/daemon/down.ts',
    'cli/daemon/statusline.ts',
    'cli/hooks/hooks.ts',
    'cli/hooks/lint.ts',
    'cli/setup/remove.ts',
  ],
  history: ['access/', 'history/', 'store/', 'home/open.ts'],
  daemon: ['cli/daemon/daemon.ts'],
};
/** A thread that loads little, though it lies in a folder of a part. */
const ALONE = 'store/checkpoint-worker.ts';

/** A file that was moved would end up in no part, and only be felt. */
function partTest(sources: readonly string[]): (id: string) => boolean {
  const paths = sources.map((source) => fileURLToPath(new URL(`./src/${source}`, import.meta.url)));
  const missing = sources.find((_, at) => !existsSync(paths[at] ?? ''));
  if (missing !== undefined) throw new Error(`tsdown.config.ts: there is no src/${missing}`);
  return (id) => !id.endsWith(ALONE) && paths.some((path) => id.startsWith(path));
}

const configs: UserConfig[] = defineConfig([
  {
    ...shared,
    entry: {
      forward: 'src/forwarder/forward-module.ts',
      index: 'src/index.ts',
      client: 'src/client/index.ts',
      testing: 'src/live/module.ts',
      'hook-worker': 'src/hooks/code/worker.ts',
      'hook-loader': 'src/hooks/code/loader.ts',
    },
    outputOptions: { ...shared.outputOptions, chunkFileNames: '[name]-[hash].js' },
  },
  // The program. Not modules: those take Node longer to find, to load and to connect.
  {
    ...shared,
    format: 'cjs',
    entry: {
      program: 'src/cli/main.ts',
      fallback: 'src/forwarder/fallback.ts',
      'large-call-worker': 'src/home/intake/large-call-worker.ts',
      'checkpoint-worker': 'src/store/checkpoint-worker.ts',
      testing: 'src/live/index.ts',
    },
    outputOptions: {
      ...shared.outputOptions,
      chunkFileNames: '[name]-[hash].cjs',
      // As the modules were that it is made of.
      strict: true,
      codeSplitting: {
        groups: Object.entries(PARTS).map(([name, sources], at, all) => ({
          name,
          test: partTest(sources),
          priority: all.length - at,
        })),
      },
    },
  },
  // By themselves, so that each is one file: each one more to load is felt.
  { ...shared, format: 'cjs', entry: { help: 'src/cli/help.ts' } },
  {
    ...shared,
    format: 'cjs',
    entry: { forward: 'src/forwarder/forward.ts' },
    plugins: [seldomBeside, asciiOnly],
    outputOptions: { ...shared.outputOptions, dynamicImportInCjs: false },
  },
  { ...shared, format: 'cjs', entry: { 'forward-seldom': 'src/forwarder/seldom.ts' } },
  // What these load may have been compiled before.
  { ...shared, format: 'cjs', entry: { cli: 'src/cli/cached.ts' } },
  { ...shared, format: 'cjs', entry: { 'fallback-worker': 'src/forwarder/fallback-worker.ts' } },
]);

export default configs;
