import { join } from 'node:path';
import * as v from 'valibot';
import { counted } from '../../model/text.ts';
import {
  eventsOf,
  foreignFindings,
  type HookConflict,
  type HookFile,
  ok,
  othersIn,
  oursIn,
  problem,
  readFiles,
  targetFindings,
  warning,
  when,
} from '../setup/findings.ts';
import { listHandlers, type PlacedHandler } from '../setup/hook-groups.ts';
import type { Finding, SetupContext } from '../setup/setup.ts';
import { assertReadable, configPath, hooksPath, layers, settings } from './setup.ts';
import { TomlDocument } from './toml-tables.ts';
import { type Trust, trustOf } from './trust.ts';

type HooksFile = Pick<HookFile, 'path' | 'handlers'>;

interface Config {
  readonly path: string;
  readonly document: TomlDocument;
}

/** What is right and wrong with the settings that Codex would read in this folder. */
export function inspect(context: SetupContext, systemDir = '/etc/codex'): readonly Finding[] {
  const target = hooksPath(context);
  const hooks = readFiles(
    layers(context).map((layer) => layer.hooks),
    readHooks,
  );
  const configs = readFiles(
    [
      ...layers(context).map(({ config }) => config),
      join(systemDir, 'config.toml'),
      join(systemDir, 'requirements.toml'),
    ],
    (text, path): Config => ({ path, document: new TomlDocument(text, path) }),
  );
  const ours = oursIn(hooks.files.filter(({ path }) => path === target));
  const user = configs.files.find(({ path }) => path === configPath(context))?.document;
  return [
    ...hooks.unreadable.values(),
    ...configs.unreadable.values(),
    ...targetFindings(settings, context, hooks, { path: target }),
    ...(ours.length > 0 ? ourFindings(context, ours, user) : []),
    ...duplicateFindings(hooks.files, target),
    ...configs.files.flatMap(switchFindings),
    ...foreignFindings(othersIn(hooks.files), CONFLICT),
    ...when(ours.length > 0, BLIND_SPOTS),
  ];
}

/** What no hook of this client ever sees (0.166.0). */
const BLIND_SPOTS: Finding = {
  level: 'limit',
  code: 'blind-spots',
  message:
    'Codex fires no hook at all for input written to a command that is already running, for its hosted web search, and for the script of code mode itself (the commands and patches in it do fire).',
  fix: null,
};

const FAILS_OPEN: Finding = {
  level: 'limit',
  code: 'fails-open',
  message:
    "Codex runs the tool if a hook times out or is turned off, and no setting changes that. Hookline's entries deny if the forwarder fails or is missing.",
  fix: 'Put what must never run into a `forbidden` rule in $CODEX_HOME/rules too.',
};

function readHooks(text: string, path: string): HooksFile {
  assertReadable(text, path);
  return { path, handlers: listHandlers(text, settings.groups(path)) };
}

function ourFindings(
  context: SetupContext,
  ours: readonly PlacedHandler[],
  user: TomlDocument | undefined,
): readonly Finding[] {
  return [
    ...trustFindings(user ?? new TomlDocument('', ''), hooksPath(context), ours),
    ...(context.scope === 'project' ? projectFindings(user, context.cwd) : []),
    ...when(context.failClosed, FAILS_OPEN),
  ];
}

function trustFindings(
  config: TomlDocument,
  path: string,
  ours: readonly PlacedHandler[],
): readonly Finding[] {
  const having = (trust: Trust) => ours.filter((hook) => trustOf(config, path, hook) === trust);
  const [untrusted, modified, disabled] = [having('untrusted'), having('modified'), having('disabled')];
  const findings = [
    ...when(
      untrusted.length > 0,
      problem(
        'untrusted',
        `Codex silently skips the entries for ${eventsOf(untrusted)}, because they have not been trusted.`,
        'Run `hookline setup codex` again and agree, or review them with /hooks in Codex.',
      ),
    ),
    ...when(
      modified.length > 0,
      problem(
        'trust-outdated',
        `Codex silently skips the entries for ${eventsOf(modified)}: something else was trusted in their place.`,
        'If the change is yours, run `hookline setup codex` again. A hook put before ours has the same effect.',
      ),
    ),
    ...when(
      disabled.length > 0,
      problem(
        'entries-disabled',
        `Hookline's entries are turned off: ${eventsOf(disabled)}.`,
        'Switch them on with /hooks in Codex.',
      ),
    ),
  ];
  return findings.length > 0
    ? findings
    : [ok('trusted', `Codex trusts all ${counted(ours.length, 'entry')}.`)];
}

const projects = v.looseObject({
  projects: v.record(v.string(), v.looseObject({ trust_level: v.unknown() })),
});

function projectFindings(user: TomlDocument | undefined, cwd: string): readonly Finding[] {
  const level = v.is(projects, user?.value) ? user.value.projects[cwd]?.trust_level : undefined;
  if (level === 'trusted') return [];
  const fix = 'Start Codex in the project and trust it, or set Hookline up for the user.';
  return level === undefined
    ? [
        warning(
          'project-undecided',
          `Codex reads hooks of ${cwd} only when the project is trusted, which has not been decided yet.`,
          fix,
        ),
      ]
    : [problem('project-untrusted', `Codex reads no hooks of ${cwd}, because it is not trusted.`, fix)];
}

const off = v.literal(false);
const noHooks = v.union([
  v.looseObject({ features: v.looseObject({ hooks: off }) }),
  v.looseObject({ features: v.looseObject({ codex_hooks: off }) }),
]);
const managedOnly = v.looseObject({ allow_managed_hooks_only: v.literal(true) });

function switchFindings({ path, document: { value } }: Config): readonly Finding[] {
  return [
    ...when(
      v.is(noHooks, value),
      problem(
        'hooks-disabled',
        `${path} switches hooks off, so Codex runs none.`,
        'Remove `hooks = false` there.',
      ),
    ),
    ...when(
      v.is(managedOnly, value),
      problem(
        'managed-only',
        `${path} allows only managed hooks.`,
        "Ask the administrator of this machine to add Hookline's entries there.",
      ),
    ),
  ];
}

/** The client runs every entry of every file, equal ones too. */
function duplicateFindings(files: readonly HooksFile[], target: string): readonly Finding[] {
  const withOurs = files.filter((file) => oursIn([file]).length > 0).map(({ path }) => path);
  const others = withOurs.filter((path) => path !== target);
  return when(
    withOurs.includes(target) && others.length > 0,
    warning(
      'set-up-twice',
      `${others.join(' and ')} also forwards: events arrive twice.`,
      'Run `hookline remove codex` for the scope you do not want.',
    ),
  );
}

const CONFLICT: HookConflict = {
  events: ['PreToolUse'],
  loss: (events) =>
    `If one on ${events} rewrites the input, the last to finish wins, and our rewrite may be lost.`,
  fix: 'Let only one of them rewrite.',
};
