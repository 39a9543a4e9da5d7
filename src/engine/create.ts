import { performance } from 'node:perf_hooks';
import { AGENTS } from '../agents/_registry.ts';
import { createGrantApprover, inTurn } from '../grants/approver.ts';
import { openGrants } from '../grants/file.ts';
import type { Surroundings } from '../grants/grant.ts';
import type { Config } from '../home/config.ts';
import { readIdentity } from '../home/identity.ts';
import type { HomePaths } from '../home/paths.ts';
import type { HookBook } from '../hooks/book.ts';
import { createHooksHandler } from '../hooks/handler.ts';
import { redact } from '../observe/redact.ts';
import { type BookOptions, openRuleBook, type RuleBook } from '../rules/book.ts';
import { createRulesHandler } from '../rules/handler.ts';
import { createSessionMemory, type SessionMemory } from '../rules/memory.ts';
import { realWorld } from '../rules/world.ts';
import type { Approver, Handler } from './decide.ts';
import { responseToFailure } from './failure.ts';
import type { Engine } from './handle.ts';
import type { Recorder } from './record.ts';

/** What grants of a home are compared with. */
export function grantSurroundings(paths: HomePaths): Surroundings {
  return { ...realWorld(paths.unlock), redact };
}

/**
 * All rules of a home: its own, the packs it has switched on, and what projects bring along. `instead` has other
 * rules of the user's in place of those in the home, to see what they would do.
 */
export function openHomeRules(
  paths: HomePaths,
  config: Config,
  instead: Partial<Pick<BookOptions, 'folder' | 'draft'>> = {},
): RuleBook {
  return openRuleBook({
    folder: paths.rules,
    ...instead,
    trustFile: paths.trust,
    packs: config.packs,
    off: config.rulesOff,
    places: {
      'hookline-home': [`${paths.root}/**`],
      'agent-settings': [...AGENTS.values()].flatMap((agent) => agent.settingsFiles),
    },
  });
}

export interface EngineParts {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly rules: RuleBook;
  readonly recorder: Recorder;
  /** The hooks, where they may run. */
  readonly hooks?: HookBook;
  /** Where hooks write what they have to say. */
  readonly hookLog?: (name: string, text: string) => void;
  /** The people who can be asked, where there are any; what they granted before holds anyway. */
  readonly approver?: Approver;
  /** What the rules remember of sessions. */
  readonly memory?: SessionMemory;
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
  handlers = [],
}: EngineParts): Engine {
  const rulesHandler = createRulesHandler({
    rulesFor: (event) => rules.inForce(event.projectId),
    world: realWorld(paths.unlock),
    memory,
    failed: (event, what) => responseToFailure(event.type, config.failure, what),
  });
  const grants = createGrantApprover(openGrants(paths.grants), grantSurroundings(paths));
  return {
    agents: AGENTS,
    handlers: [rulesHandler, ...(hooks ? [hooksHandler(hooks, config, hookLog)] : []), ...handlers],
    approver: approver ? inTurn(grants, approver) : grants,
    recorder,
    identity: readIdentity(paths),
    failure: config.failure,
    now: () => performance.now(),
  };
}

function hooksHandler(
  book: HookBook,
  { failure }: Config,
  log: (name: string, text: string) => void = () => {},
): Handler {
  return createHooksHandler({
    hooksFor: ({ projectId }) => book.hooksFor(projectId),
    ward: book.ward,
    failure,
    agents: AGENTS,
    log: ({ name }, text) => log(name, text),
    now: () => performance.now(),
  });
}
