import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { detectCommand } from '../setup/detect-command.ts';
import {
  foreignFindings,
  type HookConflict,
  type HookFile,
  limit,
  othersIn,
  problem,
  readHookFiles,
  targetFindings,
  when,
} from '../setup/findings.ts';
import { forwarderCommand, parseForwarderCommand } from '../setup/forwarder-command.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { readSettings, SettingsDocument } from '../setup/settings-json.ts';
import { type AgentSetup, changed, type FileEdit, type Finding, type SetupContext } from '../setup/setup.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/** Adds one entry per event to the user's or the project's hooks.json, and removes it again. */
export const setup: AgentSetup = {
  detect: (context) => detectCommand(context, { name: 'cursor-agent', quiet: {}, timeoutMs: 10_000 }),
  plan,
  planRemoval: (context) => settings.planRemoval(context),
  inspect,
};

// After a timeout the client continues without the hook.
const { APPROVAL, WORK, PROMPT, NOTE } = hookTimeouts('s');

const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  sessionStart: { timeout: 60 },
  beforeSubmitPrompt: { timeout: PROMPT },
  preToolUse: { timeout: APPROVAL },
  postToolUse: { timeout: WORK },
  postToolUseFailure: { timeout: WORK },
  stop: { timeout: WORK },
  subagentStart: { timeout: PROMPT },
  subagentStop: { timeout: WORK },
  preCompact: { timeout: NOTE },
  sessionEnd: { timeout: NOTE },
  // The same calls once more, without an id that would tell.
  beforeShellExecution: { timeout: APPROVAL, optIn: true },
  beforeMCPExecution: { timeout: APPROVAL, optIn: true },
};

export const settings: HookSettings = hookSettings({
  id: 'cursor',
  label: 'Cursor',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: hooksPath,
  flat: 'only',
  parse: (command) => parseForwarderCommand(command, 'cursor'),
  handler: ({ forwarder, failClosed }, event, { timeout }) => ({
    type: 'command',
    command: forwarderCommand(forwarder, 'cursor', event),
    timeout,
    ...(failClosed && Object.hasOwn(refusals, event) ? { failClosed: true } : {}),
  }),
});

export function hooksPath({ scope, home, cwd }: SetupContext): string {
  return join(scope === 'project' ? cwd : home, '.cursor', 'hooks.json');
}

/** A file without a version is not read (1.0.32). */
function plan(context: SetupContext): readonly FileEdit[] {
  const edit = settings.plan(context);
  const document = new SettingsDocument(edit.after, { path: edit.path });
  if (document.get(['version']) === undefined) document.set(['version'], 1);
  return changed({ ...edit, after: document.toString() });
}

/** What is right and wrong with the settings that Cursor would read in this folder. */
function inspect(context: SetupContext): readonly Finding[] {
  const path = hooksPath(context);
  const paths = (['user', 'project'] as const).map((scope) => hooksPath({ ...context, scope }));
  const read = readHookFiles(settings, [...new Set([...paths, '/etc/cursor/hooks.json'])], {
    version: ['version'],
    hooks: ['hooks'],
  });
  return [
    ...read.unreadable.values(),
    ...targetFindings(settings, context, read, { path, differs }),
    ...read.files.flatMap(fileFindings),
    ...when(
      forwardsForOthers(context),
      limit(
        'called-twice',
        "Cursor also runs the hooks in Claude Code's settings. If both are set up, each call is checked and recorded twice.",
      ),
    ),
    ...foreignFindings(othersIn(read.files), CONFLICT),
  ];
}

/** Whether a failure refuses was the user's choice at setup, which is not known here. */
function differs({ handler }: { readonly handler: unknown }, wanted: object): boolean {
  const { failClosed: _, ...entry } = Object(handler);
  const { failClosed: __, ...expected } = Object(wanted);
  return !isDeepStrictEqual(entry, expected);
}

/** Events that no entry of ours is for. One that is not known makes the client drop the file. */
const OTHER_EVENTS = [
  'afterShellExecution',
  'afterMCPExecution',
  'beforeReadFile',
  'afterFileEdit',
  'beforeTabFileRead',
  'afterTabFileEdit',
  'afterAgentResponse',
  'afterAgentThought',
  'workspaceOpen',
];

/** What makes the client drop a file without a message (1.0.32). */
function fileFindings({ path, values }: HookFile): readonly Finding[] {
  const hooks = Object.entries(Object(values.hooks));
  const entries = hooks.flatMap(([event, list]) =>
    Array.isArray(list) ? list.map((one) => [event, one] as const) : [],
  );
  const unknown = hooks.find(([event]) => !Object.hasOwn(EVENTS, event) && !OTHER_EVENTS.includes(event));
  const broken = entries.find(([, one]) => typeof (Object(one).command ?? Object(one).prompt) !== 'string');
  const address = entries.find(([, one]) => String(Object(one).command).includes('://'));
  const why = [
    values.version === undefined && 'has no "version"',
    unknown && `has ${unknown[0]}, which is not an event`,
    broken && `has an entry of ${broken[0]} without a command`,
    address && `has a command of ${address[0]} with "://" in it`,
  ].find((one) => typeof one === 'string');
  return when(
    hooks.length > 0 && why !== undefined,
    problem(
      'file-dropped',
      `${path} ${why}, and then Cursor runs no hook of the file.`,
      'Correct that; an address can go into a script that the entry calls.',
    ),
  );
}

function readText(path: string): string {
  try {
    return readSettings(path) ?? '';
  } catch {
    return '';
  }
}

/** The settings of the other client that this one reads too: only where tools have a matcher (1.0.32). */
function forwardsForOthers({ home, cwd }: SetupContext): boolean {
  const names = ['settings.json', 'settings.local.json'];
  const paths = [join(home, '.claude', 'settings.json'), ...names.map((name) => join(cwd, '.claude', name))];
  return paths.some((path) => {
    const text = existsSync(path) ? readText(path) : '';
    return /hookline-forward|forward\.js/.test(text) && text.includes('"matcher"');
  });
}

/** All hooks run at once; a refusal of any counts. */
const CONFLICT: HookConflict = {
  events: ['preToolUse'],
  loss: (events) => `On ${events} the last changed arguments count, and those of other hooks aren't checked.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry answers for all of them.',
};
