import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import { listHandlers, type PlacedHandler } from '../hook-groups.ts';
import { readSettings } from '../settings-json.ts';
import type { Finding, SetupContext } from '../setup.ts';
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

type Read<T> = T | { readonly path: string; readonly finding: Finding } | null;

/** What is right and wrong with the settings that Codex would read in this folder. */
export function inspectCodex(context: SetupContext, systemDir = '/etc/codex'): readonly Finding[] {
  const target = hooksPath(context);
  const read = layers(context).map(({ hooks }) => readWith(hooks, readHooks));
  const configs = [
    ...layers(context).map(({ config }) => config),
    join(systemDir, 'config.toml'),
    join(systemDir, 'requirements.toml'),
  ].map((path) => readWith(path, readConfig));
  const findings = [...read, ...configs].flatMap((one) =>
    one !== null && 'finding' in one ? [one.finding] : [],
  );
  const files = read.flatMap((one) => (one !== null && 'handlers' in one ? [one] : []));
  const settings = configs.flatMap((one) => (one !== null && 'document' in one ? [one] : []));
  const ours = (files.find(({ path }) => path === target)?.handlers ?? []).filter((handler) => handler.ours);
  const user = settings.find(({ path }) => path === configPath(context))?.document;
  if (ours.length > 0) {
    findings.push(...entryFindings(context, target, ours));
    findings.push(...trustFindings(user ?? new TomlDocument('', ''), target, ours));
    if (context.scope === 'project') findings.push(...projectFindings(user, context.cwd));
    if (context.failClosed) findings.push(FAILS_OPEN);
  } else if (!read.some((one) => one !== null && 'finding' in one && one.path === target)) {
    findings.push(
      warning('not-set-up', `${target} has no entries of Hookline.`, 'Run `hookline setup codex`.'),
    );
  }
  findings.push(...twice(files, target), ...settings.flatMap(switchFindings), ...foreign(files));
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

function readWith<T>(path: string, read: (text: string, path: string) => T): Read<T> {
  try {
    const text = readSettings(path);
    return text === null ? null : read(text, path);
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error;
    return { path, finding: problem('settings-unreadable', error.message, error.hint) };
  }
}

function readHooks(text: string, path: string): HooksFile {
  assertReadable(text, path);
  return { path, handlers: listHandlers(text, hookGroups(path)) };
}

function readConfig(text: string, path: string): Config {
  return { path, document: new TomlDocument(text, path) };
}

function entryFindings(context: SetupContext, path: string, ours: readonly PlacedHandler[]): Finding[] {
  const wanted = wantedHandlers(context);
  const missing = [...wanted.keys()].filter((event) => !ours.some((entry) => entry.event === event));
  const isStale = ({ handler }: PlacedHandler) =>
    ourCall(handler)?.forwarder !== context.forwarder || !existsSync(context.forwarder);
  const stale = ours.filter(isStale);
  const changed = ours.filter((entry) => {
    const handler = wanted.get(entry.event);
    return handler && !isStale(entry) && !isDeepStrictEqual(entry.handler, handler);
  });
  const narrowed = ours.filter(({ matcher }) => typeof matcher === 'string' && !['', '*'].includes(matcher));
  const again = 'Run `hookline setup codex` again.';
  const findings: Finding[] = [];
  if (stale.length > 0)
    findings.push(
      problem(
        'stale-path',
        `${path} calls ${forwarders(stale)}, which is not the installed forwarder: ${events(stale)} may go unseen.`,
        again,
      ),
    );
  if (missing.length > 0)
    findings.push(warning('missing-events', `${path} does not forward ${missing.join(', ')}.`, again));
  if (changed.length > 0)
    findings.push(
      warning('changed-entries', `${path} has other entries than setup writes: ${events(changed)}.`, again),
    );
  if (narrowed.length > 0)
    findings.push(
      warning(
        'narrowed',
        `${path} has a matcher on entries of Hookline, which sees only part of ${events(narrowed)}.`,
        'Remove the matcher, unless you want it.',
      ),
    );
  if (findings.length === 0) findings.push(ok('set-up', `${path} forwards ${ours.length} events.`));
  return findings;
}

function trustFindings(config: TomlDocument, path: string, ours: readonly PlacedHandler[]): Finding[] {
  const having = (trust: Trust) => ours.filter((hook) => trustOf(config, path, hook) === trust);
  const [untrusted, modified, disabled] = [having('untrusted'), having('modified'), having('disabled')];
  const findings: Finding[] = [];
  if (untrusted.length > 0)
    findings.push(
      problem(
        'untrusted',
        `Codex skips the entries for ${events(untrusted)} without a word, because nobody has said that they are trusted.`,
        'Run `hookline setup codex` again and agree, or review them with /hooks in Codex.',
      ),
    );
  if (modified.length > 0)
    findings.push(
      problem(
        'trust-outdated',
        `Codex skips the entries for ${events(modified)} without a word: what was trusted in their place was something else.`,
        'If the change is yours, run `hookline setup codex` again. A hook put before ours has the same effect.',
      ),
    );
  if (disabled.length > 0)
    findings.push(
      problem(
        'entries-disabled',
        `Entries of Hookline are switched off: ${events(disabled)}.`,
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

function foreign(files: readonly HooksFile[]): Finding[] {
  const others = files.flatMap(({ handlers }) => handlers.filter(({ ours }) => !ours));
  if (others.length === 0) return [];
  const message = `${others.length} hook${others.length > 1 ? 's' : ''} of others on ${events(others)} run in parallel with ours.`;
  if (!others.some(({ event }) => event === 'PreToolUse')) return [ok('foreign-hooks', message)];
  return [
    warning(
      'foreign-hooks',
      `${message} If one on PreToolUse rewrites the input, the last to finish wins, and our rewrite may be lost.`,
      'Let only one of them rewrite.',
    ),
  ];
}

function events(handlers: readonly PlacedHandler[]): string {
  return [...new Set(handlers.map(({ event }) => event))].join(', ');
}

function forwarders(handlers: readonly PlacedHandler[]): string {
  return [...new Set(handlers.map(({ handler }) => ourCall(handler)?.forwarder))].join(' and ');
}

function ok(code: string, message: string): Finding {
  return { level: 'ok', code, message, fix: null };
}

function problem(code: string, message: string, fix: string | null): Finding {
  return { level: 'problem', code, message, fix };
}

function warning(code: string, message: string, fix: string): Finding {
  return { level: 'warning', code, message, fix };
}
