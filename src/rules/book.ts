import { join } from 'node:path';
import type { HookEvent } from '../model/events.ts';
import type { RuleProblem } from './load.ts';
import { openPack, type Places } from './pack.ts';
import type { Rule } from './rule.ts';
import { indexRules, type RuleIndex } from './rule-index.ts';
import { openRules, type RuleSource } from './source.ts';
import { isTrusted, onlyTightening } from './trust.ts';

/** Whether a pack holds, or only says what it would do. */
export type PackMode = 'on' | 'observe' | 'off';

export interface BookOptions {
  /** The user's rules. */
  readonly folder: string;
  readonly trustFile: string;
  /** What the user said about packs; the others are as `DEFAULT_PACKS` has them. */
  readonly packs: Readonly<Record<string, PackMode>>;
  /** Ids of rules that the user switched off. */
  readonly off: readonly string[];
  /** Rules of the administrator of this machine. */
  readonly systemFolder?: string;
  readonly places: Places;
}

/** All the rules there are, by layer: system, packs, user, and those of the project an event comes from. */
export interface RuleBook {
  indexFor(event: HookEvent): RuleIndex;
  rules(project: string | null): readonly Rule[];
  problems(project: string | null): readonly RuleProblem[];
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
  cloud: 'off',
  databases: 'off',
  containers: 'off',
  quality: 'off',
};

export function openRuleBook(options: BookOptions): RuleBook {
  const system = openRules(options.systemFolder ?? SYSTEM_FOLDER, {
    layer: 'system',
    pack: null,
    observing: false,
  });
  const packs = Object.entries({ ...DEFAULT_PACKS, ...options.packs })
    .filter(([, mode]) => mode !== 'off')
    .map(([name, mode]) => openPack(name, mode === 'observe', options.places));
  const user = openRules(options.folder);
  const projects = new Map<string, RuleSource>();
  const indexes = new Map<
    string | null,
    { parts: readonly (readonly Rule[])[]; rules: readonly Rule[]; index: RuleIndex }
  >();

  function projectSource(project: string): RuleSource {
    let source = projects.get(project);
    if (!source) {
      source = openRules(join(project, '.hookline', 'rules'), {
        layer: 'project',
        pack: null,
        observing: false,
      });
      projects.set(project, source);
    }
    return source;
  }

  function projectRules(project: string | null): readonly Rule[] {
    if (project === null) return NO_RULES;
    const rules = projectSource(project).rules();
    if (rules.length === 0) return NO_RULES;
    return isTrusted(project, options.trustFile) ? rules : onlyTightening(rules);
  }

  function current(project: string | null) {
    const parts = [system.rules(), ...packs.map((pack) => pack.rules()), user.rules(), projectRules(project)];
    const known = indexes.get(project);
    if (known && parts.every((part, at) => part === known.parts[at])) return known;
    const rules = parts.flat().filter(({ id, layer }) => layer === 'system' || !options.off.includes(id));
    const fresh = { parts, rules, index: indexRules(rules) };
    if (indexes.size > REMEMBERED_PROJECTS) indexes.clear();
    indexes.set(project, fresh);
    return fresh;
  }

  return {
    indexFor: (event) => current(event.projectId).index,
    rules: (project) => current(project).rules,
    problems: (project) =>
      [system, ...packs, user, ...(project === null ? [] : [projectSource(project)])].flatMap((one) =>
        one.problems(),
      ),
  };
}

const REMEMBERED_PROJECTS = 200;
const NO_RULES: readonly Rule[] = [];
