import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import * as v from 'valibot';
import { EXTENSION } from '../setup/extension.ts';
import {
  bySetup,
  differsFromBoth,
  entryFindings,
  eventsOf,
  foreignFindings,
  type HookConflict,
  type HookFile,
  limit,
  othersIn,
  oursIn,
  problem,
  readHookFiles,
  warning,
  when,
} from '../setup/findings.ts';
import { valueIn } from '../setup/settings-json.ts';
import type { Finding, Scope, SetupContext } from '../setup/setup.ts';
import { allSettings, hooksPath, ours, settings, systemFolder, userFolder } from './setup.ts';
import { wrapper } from './wrapper.ts';

/** What is right and wrong with the settings that Gemini CLI would read in this folder. */
export function inspect(
  context: SetupContext,
  systemDir: string = systemFolder(process.platform),
): readonly Finding[] {
  const scopes = scopesByPath(context, systemDir);
  const { files, unreadable } = readHookFiles(settings, [...scopes.keys()], {
    enabled: ['hooksConfig', 'enabled'],
    disabled: ['hooksConfig', 'disabled'],
    folderTrust: ['security', 'folderTrust', 'enabled'],
  });
  const inUse = files
    .filter((file) => oursIn([file]).length > 0)
    .map((file) => ({ ...file, scope: scopes.get(file.path) ?? null }));
  const foreign = othersIn(files).filter(({ handler }) => v.is(named, handler));
  return [
    ...unreadable.values(),
    ...when(
      inUse.length === 0,
      warning('not-set-up', 'Gemini CLI is not set up.', 'Run `hookline setup gemini`.'),
    ),
    ...inUse.flatMap((file) => ourFindings(context, file)),
    ...duplicateFindings(inUse),
    ...(inUse.length === 0 ? [] : reachFindings(context, files, inUse)),
    ...files.flatMap(switchFindings),
    ...foreignFindings(foreign, CONFLICT),
  ];
}

/** A file with entries of ours, and where setup would have put them; null for a file that it never writes. */
interface OurFile extends HookFile {
  readonly scope: Scope | null;
}

function scopesByPath(context: SetupContext, systemDir: string): ReadonlyMap<string, Scope | null> {
  const scopes = new Map<string, Scope | null>(allSettings(context, systemDir).map((path) => [path, null]));
  for (const scope of ['extension', 'user', 'project'] as const) {
    const path = hooksPath({ ...context, scope });
    if (!scopes.get(path)) scopes.set(path, scope);
  }
  return scopes;
}

function ourFindings(context: SetupContext, file: OurFile): readonly Finding[] {
  const { path, scope } = file;
  if (scope === 'extension' && ours.isInstalled(context)) return wrapper.inspect(context, file);
  return entryFindings(settings, context, {
    path,
    ours: oursIn([file]),
    setupArguments: scope === 'extension' ? 'gemini' : `gemini --scope ${scope}`,
    differs: differsFromBoth(settings, context),
  });
}

/** The client runs handlers of the same name and command once, whichever files they are in. */
function duplicateFindings([first, ...others]: readonly HookFile[]): readonly Finding[] {
  const entries = (file: HookFile) => oursIn([file]).map(({ handler }) => JSON.stringify(handler));
  const known = first ? entries(first) : [];
  const differing = others.filter((file) => entries(file).some((entry) => !known.includes(entry)));
  return when(
    differing.length > 0,
    warning(
      'set-up-twice',
      `${differing.map(({ path }) => path).join(' and ')} also calls a forwarder: events arrive twice.`,
      'Run `hookline remove gemini --scope …` for the one you do not want.',
    ),
  );
}

/** What keeps the entries from running at all, here or in general. */
function reachFindings(
  context: SetupContext,
  files: readonly HookFile[],
  inUse: readonly OurFile[],
): readonly Finding[] {
  const extension = inUse.some(({ scope }) => scope === 'extension');
  return [
    ...when(
      extension && ours.isDisabled(context),
      problem(
        'extension-disabled',
        `The extension "${EXTENSION}" is disabled in ${context.cwd}, so none of its hooks run.`,
        `Run \`gemini extensions enable ${EXTENSION}\`.`,
      ),
    ),
    ...when(
      extension && !existsSync(ours.manifestPath(context)),
      bySetup(
        problem(
          'extension-incomplete',
          `${ours.manifestPath(context)} is missing, without which Gemini CLI does not load the extension.`,
          'Run `hookline setup gemini` again.',
        ),
      ),
    ),
    ...(extension ? [] : [trustFinding(context, files)]),
    ...when(
      inUse.every(({ scope }) => scope === 'project'),
      warning(
        'skip-trust',
        'With --skip-trust Gemini CLI runs no hooks from project settings.',
        'Run `hookline setup gemini` without --scope: an extension is not affected.',
      ),
    ),
    limit(
      'acp',
      '`gemini --acp` (editors) fires no tool hooks: nothing that happens there is guarded.',
      'Use the terminal for work that needs guarding.',
    ),
  ];
}

function trustFinding(context: SetupContext, files: readonly HookFile[]): Finding {
  // The strongest file that sets it counts.
  const switches = files.map(({ values }) => values.folderTrust);
  const trusted = isTrusted(context, switches.findLast((value) => typeof value === 'boolean') !== false);
  const fix =
    'Run `hookline setup gemini` without --scope: an extension also works in untrusted directories.';
  if (trusted === true)
    return warning(
      'needs-trust',
      'The entries are in settings, which Gemini CLI ignores in untrusted directories.',
      fix,
    );
  return problem(
    'untrusted',
    `${context.cwd} is not trusted${trusted === null ? ' yet' : ''}, and there Gemini CLI runs no hooks from settings, not even the user's.`,
    fix,
  );
}

const named = v.looseObject({ name: v.optional(v.string()), command: v.optional(v.string()) });
const underASecond = v.looseObject({ timeout: v.pipe(v.number(), v.ltValue(1000)) });

/** What one file switches off, and timeouts in it that were meant in another unit. */
function switchFindings(file: HookFile): readonly Finding[] {
  const { path } = file;
  const { enabled, disabled } = file.values;
  const short = othersIn([file]).filter(({ handler }) => v.is(underASecond, handler));
  return [
    ...when(
      enabled === false,
      problem(
        'hooks-disabled',
        `${path} has "hooksConfig.enabled": false, so Gemini CLI runs no hooks, those of extensions included.`,
        'Remove that line, or ask the administrator of this machine.',
      ),
    ),
    ...when(
      Array.isArray(disabled) && disabled.some(isOurName),
      problem(
        'hook-disabled',
        `${path} has Hookline in "hooksConfig.disabled", so Gemini CLI does not call it.`,
        'Run `/hooks enable hookline` in Gemini CLI, or remove it from the list.',
      ),
    ),
    ...when(
      short.length > 0,
      warning(
        'timeout-unit',
        `${path} has hooks on ${eventsOf(short)} with less than a second to answer: the timeout was probably meant in seconds.`,
        'Gemini CLI counts in milliseconds: write 30000 for 30 s.',
      ),
    ),
  ];
}

function isOurName(name: unknown): boolean {
  return name === 'hookline' || (typeof name === 'string' && /hookline-forward\b.* gemini /.test(name));
}

/** Where the order of several hooks decides which answer counts (0.61.0). */
const CONFLICT: HookConflict = {
  events: ['BeforeTool', 'BeforeModel', 'AfterModel'],
  loss: (events) =>
    `On ${events} the last one wins: it can undo a rewrite, or on a model event even a denial.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry answers for all of them.',
};

/**
 * Whether 0.61.0 would trust the folder, in the order in which it looks: its environment, the switch in the settings,
 * the list of folders. null: it would ask the user, and a headless run would end with exit code 55.
 */
function isTrusted(context: SetupContext, folderTrust: boolean): boolean | null {
  const { env, cwd } = context;
  if (env.GEMINI_RESTRICTED_MODE === 'true' || env.GEMINI_CLI_TRUST_WORKSPACE === 'false') return false;
  if (env.GEMINI_CLI_TRUST_WORKSPACE === 'true' || !folderTrust) return true;
  const path = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(userFolder(context), 'trustedFolders.json');
  const listed = v.safeParse(v.record(v.string(), v.string()), valueIn(path, []));
  const matching = Object.entries(listed.success ? listed.output : {})
    .map(([folder, level]) => [level === 'TRUST_PARENT' ? dirname(folder) : folder, level] as const)
    .filter(([folder]) => contains(folder, cwd));
  const [nearest] = matching.sort(([a], [b]) => b.length - a.length);
  return nearest === undefined ? null : nearest[1] !== 'DO_NOT_TRUST';
}

function contains(folder: string, inside: string): boolean {
  const [outer, inner] = [folder, inside].map((path) =>
    existsSync(path) ? realpathSync(path) : resolve(path),
  );
  if (outer === undefined || inner === undefined) return false;
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
