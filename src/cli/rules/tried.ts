import { randomUUID } from 'node:crypto';
import { AGENTS } from '../../agents/_registry.ts';
import { type Handled, handle } from '../../engine/handle.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { createEngine, openHomeRules } from '../../home/engine.ts';
import { knownIdentity } from '../../home/identity.ts';
import type { HomePaths } from '../../home/paths.ts';
import { openHooks } from '../../hooks/registry.ts';
import { deliveredDecision } from '../../model/delivered.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Recorder } from '../../model/recording.ts';
import type { Decision } from '../../model/responses.ts';
import { folded } from '../../terminal/fold.ts';
import { verdict } from '../output/event-line.ts';
import { paint } from '../output/paint.ts';
import { distinct } from './file-problems.ts';

/** Nothing that was only tried is kept. */
const FORGETFUL: Recorder = { place: (event) => event, waitingContext: () => [], commit: () => true };

interface Question {
  readonly agent: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd?: string | undefined;
}

/** What would happen to a call. */
type Tried = ReturnType<typeof outcome>;

interface Problem {
  readonly where: string;
  readonly message: string;
}

export interface Trial {
  ask(question: Question): Promise<Tried>;
  /** What is wrong with the rules and hooks for a directory. */
  problems(cwd: string): readonly Problem[];
}

export function openTrial(paths: HomePaths): Trial {
  const config = configInForce(paths);
  const rules = openHomeRules(paths, config);
  const hooks = openHooks(paths, AGENTS);
  const identity = knownIdentity(paths);
  return {
    async ask(question) {
      // A new one for each call: what was tried before has not happened.
      const engine = createEngine({ paths, config, rules, hooks, identity, recorder: FORGETFUL });
      const agent = AGENTS.get(question.agent);
      const id = randomUUID();
      const cwd = question.cwd ?? process.cwd();
      const payload = agent?.toolPayload({ id, tool: question.tool, input: question.input, cwd });
      const call = { id, receivedAt: Date.now(), agent: question.agent, event: null, env: {}, payload };
      return outcome(await handle(call, engine));
    },
    problems: (cwd) => distinct([...rules.inForce(identity.projectOf(cwd)).problems, ...hooks.problems()]),
  };
}

function outcome({ record, answer }: Handled) {
  const { response, opinions, degraded } = record;
  return {
    decision: response.decision,
    /** What the agent gets, if it has no way to do what was decided. */
    delivered: deliveredDecision(record.event.type, response, degraded),
    reason: response.reason ?? null,
    rules: opinions.filter(({ kind }) => kind === 'rule').map(({ by }) => by),
    /** Those that say what was decided; most have nothing to say. */
    hooks: opinions
      .filter((one) => one.kind === 'hook' && one.response.decision === response.decision)
      .map(({ by }) => `hook ${by}`),
    response,
    answer,
    degraded,
  };
}

/** The decision and the reason, with what some agents can't carry out. */
export function triedLines(
  who: string,
  { decision, delivered, rules, hooks, reason }: Tried,
  notes: readonly string[] = [],
): string[] {
  const by = [...rules, ...hooks];
  const why = decision === 'none' ? noDecision(by) : reason;
  return [
    folded([paint.bold(who), verdictOf(decision, delivered), by.join(', ')].filter(Boolean).join('  '), 2),
    ...(why ? [folded(`  ${why}`, 2)] : []),
    ...notes.map((note) => paint.yellow(folded(`  ${note}`, 2))),
  ];
}

function verdictOf(decision: Decision, delivered: Decision): string {
  if (decision === 'none') return 'no decision';
  if (decision === delivered) return verdict(decision);
  return `${verdict(decision)}, ${delivered === 'none' ? 'not sent' : `sent as ${verdict(delivered)}`}`;
}

function noDecision(by: readonly string[]): string {
  return `${by.length === 0 ? 'No rule matched. ' : ''}The agent's own permissions apply.`;
}

interface TriedBy {
  readonly agent: string;
  readonly tried: Tried;
}

/** One entry for all agents that get the same, because most calls get the same from every agent. */
export function groupedLines(results: readonly TriedBy[]): string[] {
  const groups = groupBy(results, ({ tried }) => triedLines('', tried).join('\n'));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const isAll = group.length === results.length && group.length > 1;
    const who = isAll ? `all ${group.length} agents` : group.map(({ agent }) => agent).join(', ');
    return first === undefined ? [] : triedLines(who, first.tried, group.flatMap(notesOf));
  });
}

/** What the agent can't do. Reasons start with its version, so its name makes them a sentence. */
function notesOf({ agent, tried }: TriedBy): readonly string[] {
  const label = AGENTS.get(agent)?.label ?? agent;
  return tried.degraded.map(({ reason }) => `${label}${/^\d/.test(reason) ? '' : ':'} ${reason}`);
}
