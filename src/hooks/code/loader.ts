import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'sucrase';
import { readRegularText } from '../../platform/bounded-files.ts';
import type { Snapshot } from '../../platform/last-good.ts';

// Runs in each worker as its module loader. It is the entry `hook-loader` of the build.

interface Options {
  readonly api: string;
  readonly within: string | null;
  readonly instead: Snapshot;
}

let options: Options = { api: '', within: null, instead: {} };

export const initialize: InitializeHook<Options> = (given) => {
  options = given;
};

/** `hookline` is this installation, wherever the hook is. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === 'hookline') return { url: options.api, shortCircuit: true };
  const found = kept(specifier, context.parentURL) ?? (await next(specifier, context));
  const { within } = options;
  // Our own files import each other too.
  if (within !== null && isInside(context.parentURL ?? '', within) && !isAllowed(found.url, within)) {
    // Only that directory was reviewed and trusted; anything else in a repository may change unnoticed.
    throw new Error(`${specifier} is outside ${within}, and only that directory is trusted`);
  }
  return found;
};

/** A file of the last good version, which may no longer exist. */
function kept(specifier: string, parent: string | undefined): { url: string; shortCircuit: true } | null {
  if (!/^(?:\.{1,2}\/|file:)/.test(specifier)) return null;
  const url = new URL(specifier, parent);
  const isKept = url.protocol === 'file:' && Object.hasOwn(options.instead, fileURLToPath(url));
  return isKept ? { url: url.href, shortCircuit: true } : null;
}

/** TypeScript without types. Line numbers stay the same, so that errors point to the right line. */
export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:')) return next(url, context);
  const path = fileURLToPath(url);
  const instead = Object.hasOwn(options.instead, path) ? options.instead[path] : undefined;
  if (!/\.[cm]?ts$/.test(path)) {
    if (instead === undefined) return next(url, context);
    return { format: context.format ?? 'module', source: instead, shortCircuit: true };
  }
  const { code } = transform(instead ?? readRegularText(path), {
    transforms: ['typescript'],
    filePath: path,
    disableESTransforms: true,
    preserveDynamicImport: true,
  });
  return { format: 'module', source: code, shortCircuit: true };
};

function isAllowed(url: string, within: string): boolean {
  return url.startsWith('node:') || url === options.api || isInside(url, within);
}

function isInside(url: string, folder: string): boolean {
  return url.startsWith('file:') && fileURLToPath(url).startsWith(folder + sep);
}
