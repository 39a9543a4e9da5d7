import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { listHandlers, type PlacedHandler } from '../hook-groups.ts';
import { SettingsDocument } from '../settings-json.ts';
import type { Finding, Scope, SetupContext } from '../setup.ts';
import { entryFindings, problem, readOrFinding, warning } from '../setup-findings.ts';
import { hookCommand } from './setup-command.ts';
import { wantedHandlers } from './setup-events.ts';
import { allSettings, EXTENSION, hooksPath, manifestPath, systemFolder } from './setup-files.ts';
import { contestFindings, switchFindings } from './setup-findings.ts';
import { hookGroups, ourCall } from './setup-handlers.ts';
import { isExtensionDisabled, isTrusted } from './setup-trust.ts';

/** One file with hooks, as far as it can be read. */
export interface HookFile {
  readonly path: string;
  /** Where setup would have put ours; null for a file that it never writes. */
  readonly scope: Scope | null;
  readonly handlers: readonly PlacedHandler[];
  readonly hooksConfig: unknown;
  readonly folderTrust: unknown;
}

/** What is right and wrong with what Gemini CLI would read in this folder. */
export function inspectGemini(
  context: SetupContext,
  systemDir: string = systemFolder(process.platform),
): readonly Finding[] {
  const read = places(context, systemDir).map(([path, scope]) => readFile(path, scope));
  const files = read.filter((file) => file !== null && 'handlers' in file);
  const unreadable = read.filter((file) => file !== null && 'finding' in file);
  const inUse = files.filter(({ handlers }) => handlers.some(({ ours }) => ours));
  const findings = unreadable.map(({ finding }) => finding);
  if (inUse.length === 0)
    findings.push(
      warning('not-set-up', 'Gemini CLI has no entries of Hookline.', 'Run `hookline setup gemini`.'),
    );
  findings.push(...inUse.flatMap((file) => ourFindings(context, file)), ...twice(inUse));
  findings.push(...reachFindings(context, files, inUse), ...files.flatMap(switchFindings));
  return [...findings, ...contestFindings(files)];
}

function places(context: SetupContext, systemDir: string): readonly (readonly [string, Scope | null])[] {
  const scopes = (['extension', 'user', 'project'] as const).map(
    (scope) => [hooksPath({ ...context, scope }), scope] as const,
  );
  const known = new Map<string, Scope | null>(allSettings(context, systemDir).map((path) => [path, null]));
  for (const [path, scope] of scopes) if (!known.get(path)) known.set(path, scope);
  return [...known];
}

function readFile(path: string, scope: Scope | null) {
  return readOrFinding(path, (text): HookFile => {
    const options = hookGroups(path);
    const settings = new SettingsDocument(text, options);
    return {
      path,
      scope,
      handlers: listHandlers(text, options),
      hooksConfig: settings.get(['hooksConfig']),
      folderTrust: settings.get(['security', 'folderTrust', 'enabled']),
    };
  });
}

function ourFindings(context: SetupContext, { path, scope, handlers }: HookFile): Finding[] {
  return entryFindings({
    path,
    ours: handlers.filter((handler) => handler.ours),
    wanted: wantedHandlers(context),
    forwarder: context.forwarder,
    again: `Run \`hookline setup gemini${scope === 'extension' ? '' : ` --scope ${scope}`}\` again.`,
    callOf: ourCall,
    differs: (entry, wanted) => differs(context, entry, wanted),
    narrows: (matcher) => matcher !== undefined && matcher !== '' && matcher !== '*',
  });
}

/** How a missing forwarder is met is the user's choice at setup, which may have been another one then. */
function differs({ forwarder }: SetupContext, { event, handler }: PlacedHandler, wanted: object): boolean {
  return [true, false].every((failClosed) => {
    const command = hookCommand(forwarder, event, { failClosed, platform: process.platform });
    return !isDeepStrictEqual(handler, { ...wanted, command });
  });
}

/** The client runs handlers of the same name and command once, whichever files they are in. */
function twice(inUse: readonly HookFile[]): Finding[] {
  const [first, ...others] = inUse;
  const entries = ({ handlers }: HookFile) =>
    handlers.filter(({ ours }) => ours).map(({ handler }) => JSON.stringify(handler));
  const known = first ? entries(first) : [];
  const differing = others.filter((file) => entries(file).some((entry) => !known.includes(entry)));
  if (differing.length === 0) return [];
  return [
    warning(
      'set-up-twice',
      `${differing.map(({ path }) => path).join(' and ')} also calls a forwarder, in another way: events arrive twice.`,
      'Run `hookline remove gemini --scope …` for the one you do not want.',
    ),
  ];
}

/** What keeps the entries from being run at all, here or in general. */
function reachFindings(
  context: SetupContext,
  files: readonly HookFile[],
  inUse: readonly HookFile[],
): Finding[] {
  if (inUse.length === 0) return [];
  const findings: Finding[] = [];
  const extension = inUse.some(({ scope }) => scope === 'extension');
  if (extension && isExtensionDisabled(context, EXTENSION))
    findings.push(
      problem(
        'extension-disabled',
        `The extension "${EXTENSION}" is disabled in ${context.cwd}, so none of its hooks run.`,
        `Run \`gemini extensions enable ${EXTENSION}\`.`,
      ),
    );
  if (extension && !existsSync(manifestPath(context)))
    findings.push(
      problem(
        'extension-incomplete',
        `${manifestPath(context)} is missing, without which Gemini CLI does not load the extension.`,
        'Run `hookline setup gemini` again.',
      ),
    );
  if (!extension) findings.push(trustFinding(context, files));
  if (inUse.every(({ scope }) => scope === 'project'))
    findings.push(
      warning(
        'skip-trust',
        'With --skip-trust Gemini CLI runs no hooks from project settings.',
        'Run `hookline setup gemini` without --scope: an extension is not affected.',
      ),
    );
  findings.push(
    warning(
      'acp',
      '`gemini --acp` (editors) fires no tool hooks: nothing that happens there is guarded.',
      'Use the terminal for work that needs guarding.',
    ),
  );
  return findings;
}

function trustFinding(context: SetupContext, files: readonly HookFile[]): Finding {
  // The strongest file that says something counts.
  const folderTrust = files.findLast(({ folderTrust }) => typeof folderTrust === 'boolean')?.folderTrust;
  const trusted = isTrusted(context, folderTrust !== false);
  const fix = 'Run `hookline setup gemini` without --scope: an extension also works in untrusted folders.';
  if (trusted === true)
    return warning(
      'needs-trust',
      'The entries are in settings, which Gemini CLI ignores in folders that are not trusted.',
      fix,
    );
  return problem(
    'untrusted',
    `${context.cwd} is not trusted${trusted === null ? ' yet' : ''}, and there Gemini CLI runs no hooks from settings, not even the user's.`,
    fix,
  );
}
