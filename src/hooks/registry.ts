import type { Agent } from '../agents/agent.ts';
import { openLastGood } from '../platform/last-good.ts';
import { openCodeFolder } from './code/folder.ts';
import { createStates } from './code/states.ts';
import { openGuardHooks } from './guards.ts';
import { createHookHealth, type HookHealth } from './health.ts';
import type { Hook, HookProblem } from './hook.ts';
import { openHooksFile } from './hooks-file.ts';
import { endHookProcesses } from './process.ts';
import { openProjectHooks } from './project-hooks.ts';
import { dialectOwners } from './translate.ts';

export interface HookPlaces {
  /** Directory of code hooks. */
  readonly hooks: string;
  /** The file that lists all other hooks. */
  readonly hooksFile: string;
  readonly trust: string;
  /** Stores which hooks have ever denied something. */
  readonly guardHooks: string;
  /** Stores the last good version of each file. */
  readonly lastGood: string;
}

/** All hooks: the home's code, hooks.yaml, and the code of a trusted project. */
export interface HookRegistry {
  readonly health: HookHealth;
  /** In the order of calls. Returns without a promise if there are none. */
  hooksFor(project: string | null): readonly Hook[] | Promise<readonly Hook[]>;
  /** The hooks of the last request, without waiting for any that is loading. */
  known(): readonly Hook[];
  problems(): readonly HookProblem[];
  close(): void;
}

export function openHooks(places: HookPlaces, agents: ReadonlyMap<string, Agent>): HookRegistry {
  const health = createHookHealth(Date.now, openGuardHooks(places.guardHooks));
  const states = createStates();
  const lastGood = openLastGood(places.lastGood);
  const changed = (names: readonly string[]) => {
    for (const name of names) health.forget(name);
  };
  const home = openCodeFolder(places.hooks, { states, within: null, changed, lastGood });
  const named = openHooksFile(places.hooksFile, dialectOwners(agents), changed, lastGood);
  const projects = openProjectHooks(places.trust, { states, changed });
  let known: readonly Hook[] = [];

  function withProjects(ofHome: readonly Hook[], project: string | null) {
    const others = named.hooks();
    const own = ofHome.length === 0 ? others : [...ofHome, ...others];
    known = own;
    const ofProject = projects.hooksOf(project);
    return ofProject instanceof Promise ? ofProject.then((theirs) => all(own, theirs)) : own;
  }

  function all(own: readonly Hook[], ofProject: readonly Hook[]): readonly Hook[] {
    known = [...own, ...ofProject];
    return known;
  }

  return {
    health,
    hooksFor(project) {
      const ofHome = home.hooks();
      return ofHome instanceof Promise
        ? ofHome.then((hooks) => withProjects(hooks, project))
        : withProjects(ofHome, project);
    },
    known: () => known,
    problems: () => [...named.problems(), ...home.problems(), ...projects.problems()],
    close() {
      home.close();
      projects.close();
      endHookProcesses();
    },
  };
}
