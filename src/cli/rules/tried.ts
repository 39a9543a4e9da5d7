import { randomUUID } from 'node:crypto';
import { AGENTS } from '../../agents/_registry.ts';
import { type Handled, handle } from '../../engine/handle.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { createEngine, openHomeRules } from '../../home/engine.ts';
import { knownIdentity } from '../../home/identity.ts';
import type { HomePaths } from '../../home/paths.ts';
import { openHooks } from '../../hooks/registry.ts';
import type { Recorder } from '../../model/recording.ts';
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

/** The decision and the reason; what the agent gets word for word is for those who ask for it. */
export function triedLines(agent: string, { decision, rules, hooks, reason }: Tried): string[] {
  const said = decision === 'none' ? 'no decision' : verdict(decision);
  return [
    `${paint.bold(agent)}  ${said}  ${[...rules, ...hooks].join(', ')}`,
    ...(reason ? [folded(`  ${reason}`, 2)] : []),
  ];
}
