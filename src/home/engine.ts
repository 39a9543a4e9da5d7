import { performance } from 'node:perf_hooks';
import { AGENTS } from '../agents/_registry.ts';
import { runOptions } from '../agents/run-options.ts';
import type { Surroundings } from '../approvals/grant.ts';
import { createGrantApprover, createLostGrantsHandler, firstAnswer } from '../approvals/grant-approver.ts';
import { type GrantFile, openGrants } from '../approvals/grant-file.ts';
import type { SubjectWorld } from '../approvals/grant-subject.ts';
import type { Engine, Identity } from '../engine/handle.ts';
import { createNewFiles } from '../engine/new-files.ts';
import { openPolicyRules } from '../fleet/policy/active-policy.ts';
import { createHooksHandler } from '../hooks/handler.ts';
import type { HookRegistry } from '../hooks/registry.ts';
import type { Approver, Handler } from '../model/deciding.ts';
import { projectFolderOf } from '../model/events.ts';
import { responseToFailure } from '../model/failure.ts';
import type { CallRecorder } from '../model/recording.ts';
import { folderIdentity } from '../platform/files.ts';
import { openLastGood } from '../platform/last-good.ts';
import { redact } from '../redact/redact.ts';
import type { World } from '../rules/facts.ts';
import { createRulesHandler } from '../rules/handler.ts';
import { openRuleSet, type RuleSet, type RuleSetOptions } from '../rules/rule-set.ts';
import { createHookScripts } from '../rules/self/references.ts';
import { createSessionMemory, type SessionMemory } from '../rules/session/memory.ts';
import { realWorld, userHome } from '../rules/world/machine.ts';
import { realPath } from '../rules/world/real-path.ts';
import type { Config } from './config.ts';
import { type Confirmed, openConfirmed } from './confirmed/confirmed.ts';
import { ownProcesses } from './daemon/own-processes.ts';
import { readIdentity } from './identity.ts';
import type { HomePaths } from './paths.ts';
import { programOf } from './program.ts';
import { agentPrograms, rulePlaces, settingsNames } from './rule-places.ts';

const optionsOfRun: World['runOptions'] = (source, tool) => runOptions(AGENTS.get(source), tool);

/** The machine as the rules and grants of a home see it. */
export function worldOf(unlocked: World['unlocked'] = () => false): World {
  const world = realWorld(optionsOfRun, unlocked);
  return {
    ...world,
    hookScripts: createHookScripts(settingsNames(), world),
    programs: agentPrograms(),
    readingTools: (source) => AGENTS.get(source)?.readingTools ?? {},
  };
}

/** What a grant for a call would be for, on this machine. */
export function subjectWorld(): SubjectWorld {
  return { home: userHome(), real: realPath, runOptions: optionsOfRun };
}

/** What grants of a home are compared with. */
export function grantSurroundings(): Surroundings {
  return { ...worldOf(), redact, identityOf: folderIdentity };
}

/**
 * All rules of a home: those of its fleet, its own, the packs it has switched on, and what projects bring along. `instead` has other
 * rules of the user's, or other places, to see what the rules would do then.
 */
export function openHomeRules(
  paths: HomePaths,
  config: Config,
  instead: Partial<Pick<RuleSetOptions, 'folder' | 'draft' | 'places'>> = {},
  confirmed: Confirmed = openConfirmed(paths),
): RuleSet {
  return openRuleSet({
    gate: instead.folder === undefined ? confirmed : undefined,
    folder: paths.rules,
    trustFile: paths.trust,
    packs: config.packs,
    off: config.disabledRules,
    places: rulePlaces(paths.root, programOf(paths.root, config.develop)),
    fleet: openPolicyRules(paths),
    // What is only tried is not to be kept.
    ...(instead.folder === undefined && instead.draft === undefined
      ? { lastGood: openLastGood(paths.lastGood) }
      : {}),
    ...instead,
  });
}

/** The grants of a home. */
export function openHomeGrants(paths: HomePaths): GrantFile {
  return openGrants(paths.grants, openLastGood(paths.lastGood));
}

interface EngineParts {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly rules: RuleSet;
  readonly recorder: CallRecorder;
  /** The hooks, where they may run. */
  readonly hooks?: HookRegistry;
  /** Where hooks write what they have to say. */
  readonly hookLog?: (name: string, text: string) => void;
  /** The approver, where there is one; existing grants apply anyway. */
  readonly approver?: Approver;
  /** Who and where we are; without it that is found out, and kept in the home. */
  readonly identity?: Identity;
  /** What the rules remember of sessions. */
  readonly memory?: SessionMemory;
  /** Whether a person has paused protected rules. Only a daemon knows of that. */
  readonly unlocked?: () => boolean;
  /** Asked after the rules and the hooks. */
  readonly handlers?: readonly Handler[];
}

/** The engine of a home: the same for the daemon, the fallback and `try`, but for where it records. */
export function createEngine({
  paths,
  config,
  rules,
  recorder,
  hooks,
  hookLog,
  approver,
  memory = createSessionMemory(),
  identity = readIdentity(paths),
  handlers = [],
  unlocked = () => false,
}: EngineParts): Engine {
  const rulesHandler = createRulesHandler({
    rulesFor: (event) => rules.inForce(projectFolderOf(event)),
    isStale: (event) => rules.isStale(projectFolderOf(event)),
    world: { ...worldOf(unlocked), ownProcesses: () => ownProcesses(paths) },
    memory,
    failed: (event, what) => responseToFailure(event.type, config.failure, what),
  });
  const grantFile = openHomeGrants(paths);
  const grants = createGrantApprover(grantFile, grantSurroundings());
  return {
    agents: AGENTS,
    handlers: [
      rulesHandler,
      createLostGrantsHandler(grantFile),
      ...(hooks ? [hooksHandler(hooks, config, hookLog)] : []),
      ...handlers,
    ],
    approver: approver ? firstAnswer(grants, approver) : grants,
    recorder,
    identity,
    get failure() {
      return config.failure;
    },
    newFiles: createNewFiles(),
    now: () => performance.now(),
  };
}

function hooksHandler(
  registry: HookRegistry,
  config: Config,
  log: (name: string, text: string) => void = () => {},
): Handler {
  return createHooksHandler({
    hooksFor: (event) => registry.hooksFor(projectFolderOf(event)),
    health: registry.health,
    get failure() {
      return config.failure;
    },
    agents: AGENTS,
    log: ({ name }, text) => log(name, text),
    now: () => performance.now(),
  });
}
