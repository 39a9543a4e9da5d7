import { join } from 'node:path';
import type { RuleProblem, RuleSet } from './load.ts';
import { openPack, type Places } from './pack.ts';
import type { Rule } from './rule.ts';
import { indexRules, type RuleIndex } from './rule-index.ts';
import { openRules, type RuleSource } from './source.ts';
import { isTrusted, untrusted } from './trust.ts';

/** Whether a pack holds, or only says what it would do. */
export type PackMode = 'on' | 'observe' | 'off';

export interface BookOptions {
  /** The user's rules. */
  readonly folder: string;
  /** A file to be tried among the user's rules: instead of the one of its name, or beside them. */
  readonly draft?: string;
  readonly trustFile: string;
  /** What the user said about packs; the others are as `DEFAULT_PACKS` has them. */
  readonly packs: Readonly<Record<string, PackMode>>;
  /** Ids of rules that the user switched off. */
  readonly off: readonly string[];
  /** Rules of the administrator of this machine. */
  readonly systemFolder?: string;
  readonly places: Places;
}

/** What holds for one project, and what is wrong with it. */
export interface RulesInForce {
  readonly rules: readonly Rule[];
  readonly index: RuleIndex;
  readonly problems: readonly RuleProblem[];
}

/** All the rules there are, by layer: system, packs, user, and those of the project an event comes from. */
export interface RuleBook {
  /** Cheap to ask on every call: files are read again only when they changed. */
  inForce(project: string | null): RulesInForce;
}

const SYSTEM_FOLDER = '/etc/hookline/rules';

export const DEFAULT_PACKS: Readonly<Record<string, PackMode>> = {
  recommended: 'on',
  git: 'on',
  filesystem: 'on',
  secrets: 'on',
  'network-exec': 'on',
  persistence: 'on',
  'self-protection': 'on',
  loops: 'on',
  cloud: 'off',
  databases: 'off',
  containers: 'off',
  quality: 'off',
  together: 'off',
};

export function openRuleBook(options: BookOptions): RuleBook {
  const system = openRules(options.systemFolder ?? SYSTEM_FOLDER, { ...OWN, layer: 'system' });
  const packs = Object.entries({ ...DEFAULT_PACKS, ...options.packs })
    .filter(([, mode]) => mode !== 'off')
    .map(([name, mode]) => openPack(name, mode === 'observe', options.places));
  const user = openRules(options.folder, undefined, options.draft);
  const projects = new Map<string, RuleSource>();
  const known = new Map<
    string | null,
    { readonly parts: readonly RuleSet[]; readonly inForce: RulesInForce }
  >();

  function projectRules(project: string): RuleSet {
    let source = projects.get(project);
    if (!source) {
      if (projects.size > REMEMBERED_PROJECTS) projects.clear();
      source = openRules(join(project, '.hookline', 'rules'), { ...OWN, layer: 'project' });
      projects.set(project, source);
    }
    const set = source.load();
    return set.rules.length === 0 || isTrusted(project, options.trustFile) ? set : tightened(set);
  }

  function compose(parts: readonly RuleSet[]): RulesInForce {
    const rules = parts
      .flatMap((part) => part.rules)
      .filter(({ id, layer }) => layer === 'system' || !options.off.includes(id));
    return { rules, index: indexRules(rules), problems: parts.flatMap((part) => part.problems) };
  }

  return {
    inForce(project) {
      const parts = [system, ...packs, user].map((source) => source.load());
      if (project !== null) parts.push(projectRules(project));
      const before = known.get(project);
      if (before && parts.every((part, at) => part === before.parts[at])) return before.inForce;
      const inForce = compose(parts);
      if (known.size > REMEMBERED_PROJECTS) known.clear();
      known.set(project, { parts, inForce });
      return inForce;
    },
  };
}

const REMEMBERED_PROJECTS = 200;
const OWN = { pack: null, observing: false } as const;

const tightenedSets = new WeakMap<RuleSet, RuleSet>();

/** The same object for the same set, so that it can be told that nothing has changed. */
function tightened(set: RuleSet): RuleSet {
  let found = tightenedSets.get(set);
  if (!found) {
    found = { rules: untrusted(set.rules), problems: set.problems };
    tightenedSets.set(set, found);
  }
  return found;
}
