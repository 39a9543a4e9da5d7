import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  eventsOf,
  foreignFindings,
  type HookConflict,
  type HookFile,
  othersIn,
  oursIn,
  problem,
  readHookFiles,
  targetFindings,
  warning,
  when,
} from '../setup/findings.ts';
import { commandOf, type PlacedHandler } from '../setup/hook-groups.ts';
import type { Finding, SetupContext } from '../setup/setup.ts';
import { allSettings, managedFolder, settings, settingsPath } from './setup.ts';
import { wrapper } from './wrapper.ts';

const shared = {
  if: v.optional(v.string()),
  timeout: v.optional(v.pipe(v.number(), v.gtValue(0))),
  statusMessage: v.optional(v.string()),
  once: v.optional(v.boolean()),
};
const onFailure = v.optional(v.picklist(['continue', 'block']));
const flag = v.optional(v.boolean());

const validHandler = v.variant('type', [
  v.looseObject({
    ...shared,
    type: v.literal('command'),
    command: v.string(),
    args: v.optional(v.array(v.string())),
    shell: v.optional(v.picklist(['bash', 'powershell'])),
    async: flag,
    asyncRewake: flag,
    onFailure,
  }),
  v.looseObject({ ...shared, type: v.literal('http'), url: v.pipe(v.string(), v.url()), onFailure }),
  v.looseObject({ ...shared, type: v.literal('mcp_tool'), server: v.string(), tool: v.string() }),
  v.looseObject({ ...shared, type: v.literal('prompt'), prompt: v.string() }),
  v.looseObject({ ...shared, type: v.literal('agent'), prompt: v.string() }),
]);

const validGroups = v.nullable(
  v.array(v.looseObject({ matcher: v.optional(v.string()), hooks: v.array(validHandler) })),
);

/** Where one bad entry makes the client ignore the whole file, and with it every other hook (2.1.325, tried). */
const STRICT_EVENTS = ['PreToolUse', 'PermissionRequest'];

/** The places for which the client would drop the whole file. The values are left out: they may be secrets. */
export function fatalEntries(hooks: unknown): readonly string[] {
  if (!v.is(v.looseObject({}), hooks)) return [];
  return STRICT_EVENTS.flatMap((event) => {
    if (hooks[event] === undefined) return [];
    const { issues = [] } = v.safeParse(validGroups, hooks[event]);
    return issues.map((issue) => `hooks.${event}${place(issue)}`);
  });
}

function place(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
}

/** What is right and wrong with the settings that Claude Code would read in this folder. */
export function inspect(
  context: SetupContext,
  managedDir: string = managedFolder(process.platform),
): readonly Finding[] {
  const path = settingsPath(context);
  const managed = new Map(allSettings(context, managedDir).map((file) => [file.path, file.managed]));
  const plugin = wrapper.hooksPath(context);
  const read = readHookFiles(settings, [...managed.keys(), ...(plugin === null ? [] : [plugin])], {
    disabled: ['disableAllHooks'],
    managedOnly: ['allowManagedHooksOnly'],
    hooks: ['hooks'],
  });
  return [
    ...read.unreadable.values(),
    ...read.files.flatMap((file) => (file.path === plugin ? wrapper.inspect(context, file) : [])),
    ...targetFindings(settings, context, read, { path, differs }).filter(
      ({ code }) => plugin === null || code !== 'not-set-up',
    ),
    ...duplicateFindings(read.files, path),
    ...read.files.flatMap((file) => fileFindings(file, managed.get(file.path) ?? false)),
    ...foreignFindings(othersIn(read.files), CONFLICT),
  ];
}

/** `onFailure` is the user's choice at setup, which is not known here. */
function differs({ handler }: PlacedHandler, wanted: object): boolean {
  const known = v.parse(v.looseObject({}), handler);
  return !isDeepStrictEqual({ ...known, onFailure: null }, { ...wanted, onFailure: null });
}

/** The client runs equal commands once, whichever files they are in; others run as often as they are there. */
function duplicateFindings(files: readonly HookFile[], target: string): readonly Finding[] {
  const all = oursIn(files);
  const others = files.filter((file) => file.path !== target && oursIn([file]).length > 0);
  const doubled = oursIn(files.filter(({ path }) => path === target)).filter((entry) =>
    all.some((other) => other.event === entry.event && commandOf(other.handler) !== commandOf(entry.handler)),
  );
  const where = others.map(({ path }) => path).join(' and ') || target;
  return when(
    doubled.length > 0,
    warning(
      'set-up-twice',
      `${where} also calls a forwarder, by another path: ${eventsOf(doubled)} arrive twice.`,
      `Run \`hookline remove claude\` for the scope you do not want; ${wrapper.uninstall} removes the plugin.`,
    ),
  );
}

const overAnHour = v.looseObject({ timeout: v.pipe(v.number(), v.gtValue(3600)) });

function fileFindings(file: HookFile, managed: boolean): readonly Finding[] {
  const { path, values } = file;
  const slow = othersIn([file]).filter(({ handler }) => v.is(overAnHour, handler));
  const fatal = fatalEntries(values.hooks);
  return [
    ...when(
      values.disabled === true,
      problem(
        'hooks-disabled',
        `${path} has "disableAllHooks": true, so Claude Code runs no hook of ${managed ? 'anyone' : 'yours'}.`,
        managed ? 'Ask the administrator of this machine.' : 'Remove that line.',
      ),
    ),
    ...when(
      managed && values.managedOnly === true,
      problem(
        'managed-only',
        `${path} has "allowManagedHooksOnly": true, so Claude Code runs only the hooks in managed settings.`,
        "Ask the administrator of this machine to add Hookline's entries there.",
      ),
    ),
    ...when(
      fatal.length > 0,
      problem(
        'invalid-entries',
        `${path} has entries that Claude Code rejects (${fatal.join(', ')}). On these events it then drops the whole file, every other hook included.`,
        'Correct or remove them; `claude -p hi` complains until the file is right.',
      ),
    ),
    ...when(
      slow.length > 0,
      warning(
        'timeout-unit',
        `${path} has hooks on ${eventsOf(slow)} that may take more than an hour: the timeout was probably meant in milliseconds.`,
        'Claude Code counts in seconds: write 30 for 30 s.',
      ),
    ),
  ];
}

const CONFLICT: HookConflict = {
  events: ['PreToolUse'],
  loss: (events) =>
    `If one on ${events} rewrites the input, the last to finish wins, and our rewrite may be lost.`,
  fix: 'Let only one of them rewrite, or move theirs into Hookline with `hookline import`.',
};
