import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { listHandlers, narrows, type PlacedHandler } from '../hook-groups.ts';
import type { Finding, SetupContext } from '../setup.ts';
import {
  type Contest,
  entryFindings,
  eventsOf,
  foreignFindings,
  ok,
  problem,
  readOrFinding,
  warning,
} from '../setup-findings.ts';
import { wantedHandlers } from './setup-events.ts';
import { configPath, hooksPath, layers } from './setup-files.ts';
import { assertReadable, hookGroups, ourCall } from './setup-handlers.ts';
import { type Trust, trustOf } from './setup-trust.ts';
import { TomlDocument } from './toml-tables.ts';

interface HooksFile {
  readonly path: string;
  readonly handlers: readonly PlacedHandler[];
}

interface Config {
  readonly path: string;
  readonly document: TomlDocument;
}

/** What is right and wrong with the settings that Codex would read in this folder. */
export function inspectCodex(context: SetupContext, systemDir = '/etc/codex'): readonly Finding[] {
  const target = hooksPath(context);
  const read = layers(context).map(({ hooks }) => readOrFinding(hooks, (text) => readHooks(text, hooks)));
  const configs = [
    ...layers(context).map(({ config }) => config),
    join(systemDir, 'config.toml'),
    join(systemDir, 'requirements.toml'),
  ].map((path) => readOrFinding(path, (text) => readConfig(text, path)));
  const findings = [...read, ...configs].flatMap((one) =>
    one !== null && 'finding' in one ? [one.finding] : [],
  );
  const files = read.flatMap((one) => (one !== null && 'handlers' in one ? [one] : []));
  const settings = configs.flatMap((one) => (one !== null && 'document' in one ? [one] : []));
  const ours = (files.find(({ path }) => path === target)?.handlers ?? []).filter((handler) => handler.ours);
  const user = settings.find(({ path }) => path === configPath(context))?.document;
  if (ours.length > 0) {
    findings.push(...ourFindings(context, target, ours));
    findings.push(...trustFindings(user ?? new TomlDocument('', ''), target, ours));
    if (context.scope === 'project') findings.push(...projectFindings(user, context.cwd));
    if (context.failClosed) findings.push(FAILS_OPEN);
  } else if (!read.some((one) => one !== null && 'finding' in one && one.path === target)) {
    findings.push(
      warning('not-set-up', `${target} has no entries of Hookline.`, 'Run `hookline setup codex`.'),
    );
  }
  const foreign = files.flatMap(({ handlers }) => handlers.filter((handler) => !handler.ours));
  findings.push(...twice(files, target), ...settings.flatMap(switchFindings));
  findings.push(...foreignFindings(foreign, CONTEST));
  return ours.length > 0 ? [...findings, BLIND_SPOTS] : findings;
}

/** What no hook of this client ever sees (0.166.0). */
const BLIND_SPOTS: Finding = {
  level: 'warning',
  code: 'blind-spots',
  message:
    'Codex fires no hook at all for input written to a command that is already running, for its hosted web search, and for the script of code mode itself (the commands and patches in it do fire).',
  fix: null,
};

const FAILS_OPEN: Finding = {
  level: 'warning',
  code: 'fails-open',
  message: 'Codex runs the tool when a hook crashes or times out; it has no setting for the opposite.',
  fix: 'What must never run belongs also in a `forbidden` rule of $CODEX_HOME/rules.',
};

function readHooks(text: string, path: string): HooksFile {
  assertReadable(text, path);
  return { path, handlers: listHandlers(text, hookGroups(path)) };
}

function readConfig(text: string, path: string): Config {
  return { path, document: new TomlDocument(text, path) };
}

function ourFindings(context: SetupContext, path: string, ours: readonly PlacedHandler[]): Finding[] {
  return entryFindings({
    path,
    ours,
    wanted: wantedHandlers(context),
    forwarder: context.forwarder,
    again: 'Run `hookline setup codex` again.',
    callOf: ourCall,
    differs: ({ handler }, wanted) => !isDeepStrictEqual(handler, wanted),
    narrows,
  });
}

function trustFindings(config: TomlDocument, path: string, ours: readonly PlacedHandler[]): Finding[] {
  const having = (trust: Trust) => ours.filter((hook) => trustOf(config, path, hook) === trust);
  const [untrusted, modified, disabled] = [having('untrusted'), having('modified'), having('disabled')];
  const findings: Finding[] = [];
  if (untrusted.length > 0)
    findings.push(
      problem(
        'untrusted',
        `Codex skips the entries for ${eventsOf(untrusted)} without a word, because nobody has said that they are trusted.`,
        'Run `hookline setup codex` again and agree, or review them with /hooks in Codex.',
      ),
    );
  if (modified.length > 0)
    findings.push(
      problem(
        'trust-outdated',
        `Codex skips the entries for ${eventsOf(modified)} without a word: what was trusted in their place was something else.`,
        'If the change is yours, run `hookline setup codex` again. A hook put before ours has the same effect.',
      ),
    );
  if (disabled.length > 0)
    findings.push(
      problem(
        'entries-disabled',
        `Entries of Hookline are switched off: ${eventsOf(disabled)}.`,
        'Switch them on with /hooks in Codex.',
      ),
    );
  return findings.length > 0 ? findings : [ok('trusted', `Codex trusts all ${ours.length} entries.`)];
}

const projects = v.looseObject({
  projects: v.record(v.string(), v.looseObject({ trust_level: v.unknown() })),
});

function projectFindings(user: TomlDocument | undefined, cwd: string): Finding[] {
  const level = v.is(projects, user?.value) ? user.value.projects[cwd]?.trust_level : undefined;
  if (level === 'trusted') return [];
  const fix = 'Start Codex in the project and trust it, or set Hookline up for the user.';
  return level === undefined
    ? [
        warning(
          'project-undecided',
          `Codex reads hooks of ${cwd} only when the project is trusted, which nobody has decided yet.`,
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

function switchFindings({ path, document: { value } }: Config): Finding[] {
  const findings: Finding[] = [];
  if (v.is(noHooks, value))
    findings.push(
      problem(
        'hooks-disabled',
        `${path} switches hooks off, so Codex runs none.`,
        'Remove `hooks = false` there.',
      ),
    );
  if (v.is(managedOnly, value))
    findings.push(
      problem(
        'managed-only',
        `${path} allows only the hooks of whoever administers this machine.`,
        'Ask them to put the entries of Hookline there.',
      ),
    );
  return findings;
}

/** The client runs every entry of every file, equal ones too. */
function twice(files: readonly HooksFile[], target: string): Finding[] {
  const others = files.filter(({ path, handlers }) => path !== target && handlers.some(({ ours }) => ours));
  const here = files.find(({ path }) => path === target)?.handlers.some(({ ours }) => ours) ?? false;
  if (!here || others.length === 0) return [];
  return [
    warning(
      'set-up-twice',
      `${others.map(({ path }) => path).join(' and ')} also forwards: events arrive twice.`,
      'Run `hookline remove codex` for the scope you do not want.',
    ),
  ];
}

/** Where hooks of others get in the way of ours. */
const CONTEST: Contest = {
  events: ['PreToolUse'],
  loss: (events) =>
    `If one on ${events} rewrites the input, the last to finish wins, and our rewrite may be lost.`,
  fix: 'Let only one of them rewrite.',
};
