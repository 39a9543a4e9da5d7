import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../model/text.ts';
import { bySetup, eventsOf, type HookFile, ok, oursIn, problem, warning, when } from './findings.ts';
import { WRAPPER, WRAPPER_SCRIPT, wrapperCommand } from './forwarder-command.ts';
import type { HookSettings } from './hook-settings.ts';
import type { AgentSetup, Finding, SetupContext } from './setup.ts';
import { wrapperScript } from './wrapper-script.ts';

/** A file of a wrapper; the path is from the root of the repository. */
interface WrapperFile {
  readonly path: string;
  readonly text: string;
}

/** A client's own way of installing: what calls the same forwarder, or loads the same shim, as what setup writes. */
export interface AgentWrapper {
  /** What the client calls it. */
  readonly noun: 'plugin' | 'extension' | 'package';
  /** What removes it: completes "… removes it". */
  readonly uninstall: string;
  /** What is made from the agent's folder. */
  files(version: string): readonly WrapperFile[];
  /** The file with its hooks that the client runs in this folder; null where it is not installed or is disabled. */
  hooksPath(context: SetupContext): string | null;
}

/** One that has entries like those of setup. */
export interface HookWrapper extends AgentWrapper {
  /** What is right and wrong with the file of its hooks. */
  inspect(context: SetupContext, file: HookFile): readonly Finding[];
}

interface WrapperSource extends Omit<HookWrapper, 'files' | 'inspect'> {
  readonly settings: HookSettings;
  /** The client's commands for it. */
  readonly update: string;
  readonly uninstall: string;
  /** What its manifest is called. */
  readonly manifest: string;
  /** The variable that stands for its folder in a command. */
  readonly root: string;
  /** Does exit code 2 refuse this event? */
  guards(event: string): boolean;
  /** Files beside those of every wrapper. */
  also?(version: string): readonly WrapperFile[];
}

export const DESCRIPTION =
  'One hook layer for every coding agent: rules, approvals and a record of every call.';

export function hookWrapper(source: WrapperSource): HookWrapper {
  const { settings, manifest, also } = source;
  const folder = `plugins/${settings.id}`;
  const { noun, uninstall, hooksPath } = source;
  return {
    noun,
    uninstall: `\`${uninstall}\``,
    hooksPath,
    inspect: (context, file) => wrapperFindings(source, context, file),
    files: (version) => [
      ...(also?.(version) ?? []),
      { path: `${folder}/${manifest}`, text: json({ name: WRAPPER, version, description: DESCRIPTION }) },
      { path: `${folder}/hooks/hooks.json`, text: json({ hooks: wrapperGroups(settings, source.root) }) },
      { path: `${folder}/${WRAPPER_SCRIPT}`, text: wrapperScript(settings, source.guards) },
    ],
  };
}

/** The same setup, which adds no entries where the client calls the forwarder already. */
export function withWrapper(setup: AgentSetup, wrapper: AgentWrapper): AgentSetup {
  return {
    ...setup,
    wrapper,
    plan: (context) =>
      setup.plan(wrapper.hooksPath(context) === null ? context : { ...context, wrapped: true }),
  };
}

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Entries are the same on every machine: what differs is left to the script. */
const ANYWHERE: SetupContext = {
  env: {},
  home: '/',
  cwd: '/',
  scope: 'user',
  forwarder: '/hookline-forward',
  failClosed: false,
};

function wrapperHandlers(settings: HookSettings, root: string): readonly (readonly [string, object])[] {
  return [...settings.wanted(ANYWHERE)].map(([event, handler]) => [
    event,
    { ...handler, command: wrapperCommand(root, settings.id, event) },
  ]);
}

function wrapperGroups(settings: HookSettings, root: string): object {
  return Object.fromEntries(
    wrapperHandlers(settings, root).map(([event, handler]) => [event, [{ hooks: [handler] }]]),
  );
}

/** What is right and wrong with a wrapper that the client has installed. */
function wrapperFindings(
  { settings, root, noun, update }: WrapperSource,
  { forwarder }: Pick<SetupContext, 'forwarder'>,
  file: HookFile,
): readonly Finding[] {
  const ours = oursIn([file]);
  const wanted = wrapperHandlers(settings, root);
  const missing = wanted.map(([event]) => event).filter((event) => !ours.some((one) => one.event === event));
  const changed = ours.filter(({ event, handler }) =>
    wanted.some(([name, handlerHere]) => name === event && !isDeepStrictEqual(handler, handlerHere)),
  );
  const fix = `Run \`${update}\`.`;
  const findings = [
    ...when(
      !existsSync(forwarder),
      bySetup(
        problem(
          'wrapper-alone',
          `The ${noun} ${WRAPPER} finds no forwarder at ${forwarder}: nothing is guarded.`,
          `Run \`hookline setup ${settings.id}\`.`,
        ),
      ),
    ),
    ...when(missing.length > 0, {
      ...warning('missing-events', `${file.path} does not forward ${missing.join(', ')}.`, fix),
      level: missing.some(settings.guards) ? 'problem' : 'warning',
    }),
    ...when(
      changed.length > 0,
      warning(
        'changed-entries',
        `${file.path} has other entries than the ${noun} of this version: ${eventsOf(changed)}.`,
        fix,
      ),
    ),
  ];
  if (findings.length > 0) return findings;
  return [ok('set-up', `The ${noun} ${WRAPPER} (${file.path}) forwards ${counted(ours.length, 'event')}.`)];
}
