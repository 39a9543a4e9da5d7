import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { listHandlers, type PlacedHandler } from '../hook-groups.ts';
import { SettingsDocument } from '../settings-json.ts';
import type { Finding, SetupContext } from '../setup.ts';
import {
  type Contest,
  entryFindings,
  eventsOf,
  foreignFindings,
  problem,
  readOrFinding,
  warning,
} from '../setup-findings.ts';
import { wantedHandlers } from './setup-events.ts';
import { allSettings, managedFolder, type SettingsFile, settingsPath } from './setup-files.ts';
import { fatalEntries, hookGroups, ourCall } from './setup-handlers.ts';

interface ReadFile extends SettingsFile {
  readonly handlers: readonly PlacedHandler[];
  readonly disableAllHooks: boolean;
  readonly allowManagedHooksOnly: boolean;
  /** Places of the entries that make the client drop the file. */
  readonly fatal: readonly string[];
}

/** What is right and wrong with the settings that Claude Code would read in this folder. */
export function inspectClaude(
  context: SetupContext,
  managedDir: string = managedFolder(process.platform),
): readonly Finding[] {
  const target = settingsPath(context);
  const read = allSettings(context, managedDir).map(readFile);
  const files = read.filter((file) => file !== null && 'handlers' in file);
  const unreadable = read.filter((file) => file !== null && 'finding' in file);
  const ours = (files.find(({ path }) => path === target)?.handlers ?? []).filter((handler) => handler.ours);
  const findings = unreadable.map(({ finding }) => finding);
  if (ours.length > 0) findings.push(...ourFindings(context, target, ours));
  else if (!unreadable.some(({ path }) => path === target)) findings.push(notSetUp(target));
  const foreign = files.flatMap(({ handlers }) => handlers.filter((handler) => !handler.ours));
  return [
    ...findings,
    ...twice(files, target),
    ...files.flatMap(fileFindings),
    ...foreignFindings(foreign, CONTEST),
  ];
}

function readFile({ path, managed }: SettingsFile) {
  return readOrFinding(path, (text): ReadFile => {
    const options = hookGroups(path);
    const settings = new SettingsDocument(text, options);
    return {
      path,
      managed,
      handlers: listHandlers(text, options),
      disableAllHooks: settings.get(['disableAllHooks']) === true,
      allowManagedHooksOnly: settings.get(['allowManagedHooksOnly']) === true,
      fatal: fatalEntries(settings.get(['hooks'])),
    };
  });
}

function notSetUp(path: string): Finding {
  return warning('not-set-up', `${path} has no entries of Hookline.`, 'Run `hookline setup claude`.');
}

function ourFindings(context: SetupContext, path: string, ours: readonly PlacedHandler[]): Finding[] {
  return entryFindings({
    path,
    ours,
    wanted: wantedHandlers(context),
    forwarder: context.forwarder,
    again: 'Run `hookline setup claude` again.',
    callOf: ourCall,
    differs: ({ handler }, wanted) => differs(handler, wanted),
    narrows: (matcher) => matcher !== undefined && matcher !== '' && matcher !== '*',
  });
}

/** `onFailure` is the user's choice at setup, which is not known here. */
function differs(handler: unknown, wanted: object): boolean {
  const known = v.parse(v.looseObject({}), handler);
  return !isDeepStrictEqual({ ...known, onFailure: null }, { ...wanted, onFailure: null });
}

/** The client runs equal commands once, whichever files they are in; other ones run as often as they are there. */
function twice(files: readonly ReadFile[], target: string): Finding[] {
  const all = files.flatMap(({ handlers }) => handlers.filter(({ ours }) => ours));
  const here = files.find(({ path }) => path === target)?.handlers.filter(({ ours }) => ours) ?? [];
  const others = files.filter(({ path, handlers }) => path !== target && handlers.some(({ ours }) => ours));
  const command = ({ handler }: PlacedHandler) =>
    v.parse(v.looseObject({ command: v.string() }), handler).command;
  const doubled = here.filter((entry) =>
    all.some((other) => other.event === entry.event && command(other) !== command(entry)),
  );
  if (doubled.length === 0) return [];
  const where = others.map(({ path }) => path).join(' and ') || target;
  return [
    warning(
      'set-up-twice',
      `${where} also calls a forwarder, by another path: ${eventsOf(doubled)} arrive twice.`,
      'Run `hookline remove claude` for the scope you do not want.',
    ),
  ];
}

function fileFindings({ path, managed, handlers, fatal, ...switches }: ReadFile): Finding[] {
  const findings: Finding[] = [];
  if (switches.disableAllHooks)
    findings.push(
      problem(
        'hooks-disabled',
        `${path} has "disableAllHooks": true, so Claude Code runs no hook of ${managed ? 'anybody' : 'yours'}.`,
        managed ? 'Ask whoever administers this machine.' : 'Remove that line.',
      ),
    );
  if (managed && switches.allowManagedHooksOnly)
    findings.push(
      problem(
        'managed-only',
        `${path} has "allowManagedHooksOnly": true, so Claude Code runs only the hooks in managed settings.`,
        'Ask whoever administers this machine to put the entries of Hookline there.',
      ),
    );
  if (fatal.length > 0)
    findings.push(
      problem(
        'invalid-entries',
        `${path} has entries that Claude Code refuses (${fatal.join(', ')}). On these events it then drops the whole file, every other hook included.`,
        'Correct or remove them; `claude -p hi` complains until the file is right.',
      ),
    );
  const slow = handlers.filter(({ handler, ours }) => !ours && v.is(overAnHour, handler));
  if (slow.length > 0)
    findings.push(
      warning(
        'timeout-unit',
        `${path} has hooks on ${eventsOf(slow)} that may take more than an hour: the timeout was probably meant in milliseconds.`,
        'Claude Code counts in seconds: write 30 for 30 s.',
      ),
    );
  return findings;
}

const overAnHour = v.looseObject({ timeout: v.pipe(v.number(), v.gtValue(3600)) });

/** Where hooks of others get in the way of ours. */
const CONTEST: Contest = {
  events: ['PreToolUse'],
  loss: (events) =>
    `If one on ${events} rewrites the input, the last to finish wins, and our rewrite may be lost.`,
  fix: 'Let only one of them rewrite, or move theirs into Hookline with `hookline import`.',
};
