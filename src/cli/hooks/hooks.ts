import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { createNewFiles } from '../../engine/new-files.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import type { Hook } from '../../hooks/hook.ts';
import { openHooks } from '../../hooks/registry.ts';
import { type HookCost, hookCosts } from '../../hooks/stats.ts';
import { hookStatus } from '../../hooks/status.ts';
import { eventTypes } from '../../hooks/when.ts';
import { HooklineError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { counted } from '../../model/text.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { timedOpinions } from '../../store/read/opinions.ts';
import { findEvent } from '../../store/read/queries.ts';
import { folded } from '../../terminal/fold.ts';
import { agentCalled, unknownAgent } from '../agents/agent-name.ts';
import { FIRST_AGENT } from '../agents/first-agent.ts';
import { defineCommand, flag, unknownWord, usage, value } from '../command.ts';
import { columns } from '../output/columns.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';
import { PARTS } from '../summaries.ts';
import { countOf } from '../values.ts';
import { editorSettings, hookTemplate } from './hook-template.ts';

export default defineCommand({
  name: 'hooks',
  summary: 'Create, list and test hooks, and show how long each takes.',
  words: '[new|list|test|stats] [name]',
  options: {
    on: value('EVENT', 'Event or event group (default: before_tool).', { of: 'new' }),
    tool: value('T', 'Tool name (default: Bash).', { of: 'new and test' }),
    agent: value('A', `Agent that makes the call (default: ${FIRST_AGENT}).`, { of: 'test' }),
    input: value('JSON', 'Arguments of the call.', { of: 'test' }),
    event: value('ID', 'Use an event from the history instead.', { of: 'test' }),
    days: value('N', 'Start of the period (default: today).', { of: 'stats' }),
    json: flag('As JSON, one object per line.'),
  },
  examples: [
    ['hookline hooks new guard --tool Bash', 'create a hook file to edit'],
    ['hookline hooks list', 'in the order in which they run'],
    [`hookline hooks test guard --input '{"command":"rm -rf x"}'`, 'shows its response, time and log output'],
    ['hookline hooks test gate --event 3fa9c2', 'on an event from the history'],
    ['hookline hooks stats', 'time per hook today'],
  ],
  asScript: true,
  access: (_, [what, name]) => (what === 'new' && name !== undefined ? 'hooks' : null),
  async run({ on, tool, agent, input, event, days, json }, [what, name]) {
    const paths = homePaths();
    switch (what) {
      case 'new':
        return create(paths, name, on ?? 'before_tool', tool);
      case undefined:
      case 'list':
        return await list(paths, json ?? false);
      case 'test':
        return await test(paths, name, {
          agent: agent ?? FIRST_AGENT,
          tool: tool ?? 'Bash',
          input: input ?? null,
          event: event ?? null,
          json: json ?? false,
        });
      case 'stats':
        return await stats(paths, days, json ?? false);
      default:
        throw unknownWord('hooks', what, ['new', 'list', 'test', 'stats', ...(PARTS.hooks ?? [])]);
    }
  },
});

function create(paths: HomePaths, name: string | undefined, on: string, tool: string | undefined): number {
  if (name === undefined || !/^[\w-]+$/.test(name))
    throw usage('hooks', 'Missing hook name. Use letters, digits and dashes.');
  const known = eventTypes([on]);
  if ('unknown' in known) throw usage('hooks', `Unknown event "${on}". See docs/events.md for the list.`);
  const file = join(paths.hooks, `${name}.ts`);
  if (existsSync(file)) throw new HooklineError('USAGE', `${file} already exists.`);
  makeFolder(paths.hooks, 0o700);
  const template = hookTemplate(on, tool);
  writeFileSync(file, template.text, { mode: 0o600 });
  const settings = join(paths.hooks, 'tsconfig.json');
  const types = join(dirname(fileURLToPath(import.meta.url)), 'types', 'index.d.ts');
  if (!existsSync(settings)) writeFileSync(settings, editorSettings(types), { mode: 0o600 });
  console.log(folded(`${paint.green('Made')} ${file}. It applies from the next call on.`));
  console.log(
    `Try it: hookline hooks test ${name} --tool ${tool ?? 'Bash'} --input '${JSON.stringify(template.input)}'`,
  );
  return 0;
}

async function withHooks<T>(
  paths: HomePaths,
  use: (hooks: readonly Hook[], registry: ReturnType<typeof openHooks>) => T | Promise<T>,
): Promise<T> {
  const registry = openHooks(paths, AGENTS);
  try {
    return await use(await registry.hooksFor(createProjectFinder()(process.cwd())), registry);
  } finally {
    registry.close();
  }
}

async function list(paths: HomePaths, json: boolean): Promise<number> {
  return await withHooks(paths, (hooks, registry) => {
    for (const hook of hooks) {
      const status = hookStatus(hook, registry.health.of(hook));
      if (json)
        console.log(JSON.stringify({ ...status, timeoutMs: hook.timeoutMs, background: hook.background }));
      else console.log(`${paint.bold(hook.name)}  ${hook.kind}  ${paint.dim(hook.where)}`);
    }
    const problems = registry.problems();
    for (const { where, message } of json ? [] : problems)
      console.log(`${paint.red('✗')} ${where}: ${message}`);
    if (hooks.length === 0 && !json)
      console.log(typedHere('No hooks yet. Run `hookline hooks new <name>` to create one.'));
    return problems.length === 0 ? 0 : 1;
  });
}

interface Trial {
  readonly agent: string;
  readonly tool: string;
  readonly input: string | null;
  /** The ID of a recorded event. */
  readonly event: string | null;
  readonly json: boolean;
}

async function test(paths: HomePaths, name: string | undefined, trial: Trial): Promise<number> {
  if (name === undefined)
    throw usage('hooks', 'Missing hook name. Run `hookline hooks list` to see the hooks.');
  const event = trial.event === null ? imagined(trial) : await recorded(paths, trial.event);
  return await withHooks(paths, async (hooks) => {
    const hook = hooks.find((one) => one.name === name);
    if (!hook)
      throw new HooklineError('NOT_FOUND', `Unknown hook ${name}.`, {
        hint: 'Run `hookline hooks list` to see the hooks.',
      });
    const logged: string[] = [];
    const concerned = hook.concerns(event);
    const started = performance.now();
    const budgetMs = hook.timeoutMs || 5_000;
    const outcome = await hook
      .run(event, { budgetMs, leftMs: budgetMs, hold: () => {}, log: (text) => logged.push(text) })
      .then((response) => ({ response, problem: null }))
      .catch((error: Error) => ({ response: null, problem: error.message }));
    const tookMs = performance.now() - started;
    if (trial.json) {
      console.log(JSON.stringify({ hook: name, concerned, ...outcome, tookMs, log: logged }));
    } else {
      for (const line of logged) console.log(paint.dim(`log  ${line}`));
      if (!concerned) console.log(paint.yellow("This hook doesn't handle that event. Result if it did:"));
      if (outcome.problem !== null) console.log(`${paint.red('failed')}: ${outcome.problem}`);
      else console.log(JSON.stringify(outcome.response, null, 2));
      console.log(paint.dim(`Took ${tookMs.toFixed(1)} ms.`));
    }
    return outcome.problem === null ? 0 : 1;
  });
}

function imagined({ agent, tool, input }: Trial): HookEvent {
  if (input === null)
    throw usage(
      'hooks',
      "Missing call. Pass --input with the tool's arguments, or --event with an event ID.",
    );
  const found = agentCalled(agent);
  if (!found) throw unknownAgent(agent);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())), input);
  if (!parsed.success) throw usage('hooks', "--input takes a JSON object with the tool's arguments.");
  const id = randomUUID();
  const payload = found.toolPayload({ id, tool, input: parsed.output, cwd: process.cwd() });
  const event = found.decode({ id, receivedAt: Date.now(), event: null, payload, env: {} });
  return createNewFiles()({ ...event, projectId: createProjectFinder()(process.cwd()) });
}

/** Decoded again from the recorded payload, without the redacted secrets. */
async function recorded(paths: HomePaths, id: string): Promise<HookEvent> {
  const stored = await readHistory(paths, (db) => findEvent(db, id));
  const agent = stored && AGENTS.get(stored.source);
  if (!stored || !agent) throw new HooklineError('NOT_FOUND', `Unknown event ${id}.`);
  const { nativeEvent, native, timestamp, projectId } = stored;
  const call = { id: stored.id, receivedAt: timestamp, event: nativeEvent, payload: native, env: {} };
  return { ...agent.decode(call), projectId };
}

const DAY_MS = 86_400_000;

async function stats(paths: HomePaths, days: string | undefined, json: boolean): Promise<number> {
  const back = countOf('hooks', 'days', days, 0);
  const since = new Date().setHours(0, 0, 0, 0) - back * DAY_MS;
  const costs = await readHistory(paths, (db) => hookCosts(timedOpinions(db, since)));
  for (const cost of json ? costs : []) console.log(JSON.stringify(cost));
  if (!json) console.log(costs.length === 0 ? 'No hook has run yet.' : table(costs).join('\n'));
  return 0;
}

function table(costs: readonly HookCost[]): string[] {
  const ms = (value: number) =>
    value < 1_000 ? `${value.toFixed(1)} ms` : `${(value / 1_000).toFixed(1)} s`;
  return columns(
    costs.map(({ name, runs, failures, p50Ms, p95Ms, totalMs }) => [
      name,
      `${ms(totalMs)} in ${counted(runs, 'run')}, p50 ${ms(p50Ms)}, p95 ${ms(p95Ms)}${failures > 0 ? `, ${failures} failed` : ''}`,
    ]),
  );
}
