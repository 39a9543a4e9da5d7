import { existsSync } from 'node:fs';
import { EXTENSION } from '../setup/extension.ts';
import {
  bySetup,
  differsFromBoth,
  entryFindings,
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
import type { Finding, Scope, SetupContext } from '../setup/setup.ts';
import { hooksPath, ours, settings, wrapper } from './setup.ts';

/** What is right and wrong with the settings that Qwen Code would read in this folder. */
export function inspect(context: SetupContext): readonly Finding[] {
  const scopes = new Map<string, Scope | null>([['/etc/qwen-code/settings.json', null]]);
  for (const scope of ['project', 'user', 'extension'] as const)
    scopes.set(hooksPath({ ...context, scope }), scope);
  const { files, unreadable } = readHookFiles(settings, [...scopes.keys()], {
    disabled: ['disableAllHooks'],
    folderTrust: ['security', 'folderTrust', 'enabled'],
  });
  const inUse = files.filter((file) => oursIn([file]).length > 0);
  return [
    ...unreadable.values(),
    ...when(
      inUse.length === 0,
      warning('not-set-up', 'Qwen Code is not set up.', 'Run `hookline setup qwen`.'),
    ),
    ...inUse.flatMap((file) => ourFindings(context, file, scopes.get(file.path) ?? null)),
    ...reachFindings(context, files, new Set(inUse.map(({ path }) => scopes.get(path)))),
    ...foreignFindings(othersIn(files), CONFLICT),
  ];
}

/** What keeps our entries from running. */
function reachFindings(
  context: SetupContext,
  files: readonly HookFile[],
  inUse: ReadonlySet<Scope | null | undefined>,
): readonly Finding[] {
  return [
    ...extensionFindings(context, inUse),
    ...when(
      inUse.has('project') &&
        !inUse.has('extension') &&
        files.some(({ values }) => values.folderTrust === true),
      warning(
        'needs-trust',
        'The entries are in project settings, which Qwen Code ignores in untrusted directories.',
        'Run `hookline setup qwen` without --scope: an extension also works there.',
      ),
    ),
    ...files.flatMap(({ path, values }) =>
      when(
        values.disabled === true,
        problem(
          'hooks-disabled',
          `${path} has "disableAllHooks": true, so Qwen Code runs no hooks.`,
          'Remove that line, or ask the administrator of this machine.',
        ),
      ),
    ),
    ...when(
      inUse.size > 0,
      limit('safe-mode', '`qwen --safe-mode` and `qwen --bare` run no hooks: nothing there is guarded.'),
    ),
  ];
}

function extensionFindings(
  context: SetupContext,
  inUse: ReadonlySet<Scope | null | undefined>,
): readonly Finding[] {
  return [
    ...when(
      inUse.has('extension') && ours.isDisabled(context),
      problem(
        'extension-disabled',
        `The extension "${EXTENSION}" is disabled in ${context.cwd}, so none of its hooks run.`,
        `Run \`qwen extensions enable ${EXTENSION}\`.`,
      ),
    ),
    ...when(
      inUse.size > 1 && ours.isInstalled(context),
      warning(
        'set-up-twice',
        `The extension "${EXTENSION}" and settings both call a forwarder: events arrive twice.`,
        'Run `hookline remove qwen --scope …` for the settings, and keep the extension.',
      ),
    ),
    ...when(
      inUse.has('extension') && !existsSync(ours.manifestPath(context)),
      bySetup(
        problem(
          'extension-incomplete',
          `${ours.manifestPath(context)} is missing, without which Qwen Code does not load the extension ${EXTENSION}.`,
          'Run `hookline setup qwen` again.',
        ),
      ),
    ),
  ];
}

function ourFindings(context: SetupContext, file: HookFile, scope: Scope | null): readonly Finding[] {
  if (scope === 'extension' && ours.isInstalled(context)) return wrapper.inspect(context, file);
  return entryFindings(settings, context, {
    path: file.path,
    ours: oursIn([file]),
    setupArguments: scope === 'extension' ? 'qwen' : `qwen --scope ${scope}`,
    differs: differsFromBoth(settings, context),
  });
}

/** All hooks of an event run at once, and the last decision wins (0.24.4). */
const CONFLICT: HookConflict = {
  events: ['PreToolUse', 'PermissionRequest'],
  loss: (events) => `On ${events} the last decision wins: an "allow" of another hook cancels our denial.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry answers for all of them.',
};
