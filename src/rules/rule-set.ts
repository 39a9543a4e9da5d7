import { join } from 'node:path';
import { BoundedMap, remember, rememberPer } from '../platform/bounded.ts';
import { createLastGood, type LastGood } from '../platform/last-good.ts';
import { projectFileLimits } from './files/folder.ts';
import type { LoadedRules, RuleProblem } from './files/load.ts';
import { openRules, type RuleSource, type TextGate } from './files/source.ts';
import { isTrusted, untrusted } from './files/trust.ts';
import { newIdOf } from './gone.ts';
import { openPack } from './pack.ts';
import type { Places } from './places/named.ts';
import type { Rule } from './rule.ts';
import { indexRules, type RuleIndex } from './rule-index.ts';

/** Whether a pack is enforced, only records what it would decide, or is off. */
type PackMode = 'on' | 'observe' | 'off';

export interface RuleSetOptions {
  /** The user's rules. */
  readonly folder: string;
  /** A file to test among the user's rules: replaces the one with its name, or adds to them. */
  readonly draft?: string;
  readonly trustFile: string;
  /** The user's settings for packs; `DEFAULT_PACKS` has the others. */
  readonly packs: Readonly<Record<string, PackMode>>;
  /** Ids of rules that the user switched off. */
  readonly off: readonly string[];
  /** Rules of the administrator of this machine. */
  readonly systemFolder?: string;
  /** Rules of this machine's fleet. */
  readonly fleet?: Pick<RuleSource, 'load'>;
  readonly places: Places;
  /** Where the last good versions of rule files are stored; in memory by default. */
  readonly lastGood?: LastGood;
  /** Which texts of the user's rules count; all by default. */
  readonly gate?: TextGate | undefined;
}

/** Active rules of one project, and their problems. */
export interface RulesInForce {
  readonly rules: readonly Rule[];
  readonly index: RuleIndex;
  readonly problems: readonly RuleProblem[];
  /** Disabled ids that no rule has. */
  readonly unknownDisabledIds: readonly string[];
  /** Project rules that stay inactive until the project is trusted. */
  readonly untrustedRules: readonly Rule[];
}

/** All rules by layer: system, fleet, packs, user, and those of the event's project. */
export interface RuleSet {
  /** Cheap on every call, because files are read again only after a change. */
  inForce(project: string | null): RulesInForce;
  /** True if that would read files now, which can take long. */
  isStale(project: string | null): boolean;
}

const SYSTEM_FOLDER = '/etc/hookline/rules';

export const DEFAULT_PACKS: Readonly<Record<string, PackMode>> = {
  recommended: 'on',
  git: 'on',
  filesystem: 'on',
  secrets: 'on',
  'network-exec': 'on',
  persistence: 'on',
  irreversible: 'on',
  'self-protection': 'on',
  loops: 'on',
  cloud: 'off',
  databases: 'off',
  containers: 'off',
  quality: 'off',
  conflicts: 'off',
  'project-only': 'off',
  calm: 'off',
  'calm-builds': 'off',
};

export function openRuleSet(options: RuleSetOptions): RuleSet {
  const { lastGood = createLastGood() } = options;
  const system = openRules(options.systemFolder ?? SYSTEM_FOLDER, {
    origin: { ...OWN, layer: 'system' },
    lastGood,
  });
  const packs = openPacks(options);
  const user = openRules(options.folder, { draft: options.draft, lastGood, gate: options.gate });
  const projectSource = remember(
    (project: string) => openProject(project, options, lastGood),
    REMEMBERED_PROJECTS,
  );
  function projectRules(project: string): LoadedRules {
    const set = projectSource(project).load();
    return set.rules.length === 0 || isTrusted(project, options.trustFile) ? set : tightened(set);
  }

  /** Packs do not change, and come between system and fleet rules and the user's. */
  function compose(loaded: readonly LoadedRules[]): RulesInForce {
    const parts = [
      ...loaded.slice(0, FROM_OTHERS),
      ...packs.map((pack) => pack.load()),
      ...loaded.slice(FROM_OTHERS),
    ];
    return withoutThose(parts, options.off);
  }

  const composed = composeOnChange(compose);
  // In the home directory itself, the user's rules would count twice.
  const hasOwnRules = (project: string) => projectFolder(project) !== options.folder;

  return {
    isStale: (project) =>
      [system, user].some((source) => source.isStale()) ||
      (project !== null && hasOwnRules(project) && projectSource(project).isStale()),
    inForce(project) {
      const parts = [system.load(), options.fleet?.load() ?? NOTHING, user.load()];
      const own = project !== null && hasOwnRules(project) ? projectRules(project) : NOTHING;
      // An index takes more than half a megabyte, and most projects have no rules.
      return saysNothing(own) ? composed(null, parts) : composed(project, [...parts, own]);
    },
  };
}

type Parts = readonly LoadedRules[];

/** By project; null stands for all projects without rules. */
function composeOnChange(
  compose: (parts: Parts) => RulesInForce,
): (project: string | null, parts: Parts) => RulesInForce {
  const known = new BoundedMap<string | null, { readonly parts: Parts; readonly inForce: RulesInForce }>(
    REMEMBERED_PROJECTS,
  );
  return (project, parts) => {
    const before = known.get(project);
    const isSame =
      before?.parts.length === parts.length && parts.every((part, at) => part === before.parts[at]);
    if (before && isSame) return before.inForce;
    const inForce = compose(parts);
    known.set(project, { parts, inForce });
    return inForce;
  };
}

function openPacks({ packs, places, off }: RuleSetOptions): readonly RuleSource[] {
  return Object.entries({ ...DEFAULT_PACKS, ...packs })
    .filter(([, mode]) => mode !== 'off')
    .map(([name, mode]) => openPack(name, mode === 'observe', places, off));
}

/** Removes the rules that the user disabled, except system and fleet rules. */
function withoutThose(parts: readonly LoadedRules[], off: readonly string[]): RulesInForce {
  const all = parts.flatMap((part) => part.rules);
  const rules = all.filter(({ id, layer }) => layer === 'system' || layer === 'fleet' || !off.includes(id));
  return {
    rules,
    index: indexRules(rules),
    problems: parts.flatMap((part) => part.problems),
    unknownDisabledIds: off.filter((id) => newIdOf(id) === null && !all.some((rule) => rule.id === id)),
    untrustedRules: parts.flatMap((part) => part.waiting ?? []),
  };
}

function openProject(project: string, { trustFile }: RuleSetOptions, lastGood: LastGood): RuleSource {
  return openRules(projectFolder(project), {
    origin: { ...OWN, layer: 'project' },
    limits: projectFileLimits(project),
    lastGood,
    // Rules of an untrusted project were never reviewed, so they are not kept as the last good version.
    mayKeep: () => isTrusted(project, trustFile),
  });
}

const REMEMBERED_PROJECTS = 200;
const projectFolder = remember((project: string) => join(project, '.hookline', 'rules'), REMEMBERED_PROJECTS);
/** Number of sources that are not the user's. */
const FROM_OTHERS = 2;
const NOTHING: LoadedRules = { rules: [], problems: [] };
const saysNothing = ({ rules, problems, waiting = [] }: LoadedRules): boolean =>
  rules.length + problems.length + waiting.length === 0;
const OWN = { pack: null, observing: false } as const;

/** Returns the same object for the same set, so that a comparison by identity shows that nothing changed. */
const tightened = rememberPer(({ rules, problems }: LoadedRules): LoadedRules => {
  const kept = untrusted(rules);
  const ids = new Set(kept.map(({ id }) => id));
  return { rules: kept, problems, waiting: rules.filter(({ id }) => !ids.has(id)) };
});
