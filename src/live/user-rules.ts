import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Agent } from '../agents/agent.ts';
import { once } from '../platform/bounded.ts';
import { parseRules, type RuleProblem } from '../rules/files/load.ts';
import { packNames } from '../rules/pack.ts';
import { type DenyExample, denyExamples } from '../rules/review/deny-examples.ts';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import type { Check } from './check.ts';
import { expectThat } from './expect.ts';
import { hooklineIn } from './hookline.ts';
import type { Row } from './report.ts';

/** A rule file of the user: its name and what is in it. */
export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/** Rules of the user that deny, as checks; and those that cannot be tried, with the reason. */
interface RuleChecks {
  readonly checks: readonly Check[];
  readonly untried: readonly Row[];
}

/** A part that would end the condition below, or have another one begin. */
const LEAVES_CONDITION = /\b(?:then|elif|else|fi)\b|<<|\n/;

/** Never runs, whatever the client does with the answer: a rule is about what must not happen. */
function neverRun(command: string): readonly string[] {
  return LEAVES_CONDITION.test(command) ? [] : [`if false; then ${command}; fi`];
}

/** Finds out, with a copy of the rules, which of the examples they deny. */
export async function ruleChecks(agent: Agent, files: readonly RuleFile[]): Promise<RuleChecks> {
  const rules = files.flatMap(({ name, text }) => denyExamples(text, name));
  const invalid = files.flatMap(({ name, text }) => parseRules(text, name).problems).map(notUnderstood);
  if (rules.length === 0) return { checks: [], untried: invalid };
  const denied = await deniedOf(agent, files, rules);
  return {
    checks: rules.flatMap(({ id }) => {
      const command = denied.get(id);
      return command === undefined ? [] : [ruleCheck(id, command, files)];
    }),
    untried: [...invalid, ...rules.filter(({ id }) => !denied.has(id)).map(withoutExample)],
  };
}

function notUnderstood({ where, message }: RuleProblem): Row {
  return {
    kind: 'rule',
    name: where,
    state: 'untried',
    expected: 'a rule that is understood',
    seen: message,
  };
}

function withoutExample({ id }: DenyExample): Row {
  const expected = 'a command that it denies';
  const seen = 'none is known: give it one under `tests: { match: […] }`';
  return { kind: 'rule', name: id, state: 'untried', expected, seen };
}

const Tried = v.looseObject({ id: v.number(), decision: v.string(), rules: v.array(v.string()) });

/** For each rule the first of its commands that it denies. */
async function deniedOf(
  agent: Agent,
  files: readonly RuleFile[],
  rules: readonly DenyExample[],
): Promise<ReadonlyMap<string, string>> {
  const candidates = rules.flatMap(({ id, commands }) =>
    commands.flatMap(neverRun).map((command) => ({ rule: id, command })),
  );
  const input = candidates.map(({ command }, id) =>
    JSON.stringify({ id, agent: agent.id, tool: 'Bash', input: { command } }),
  );
  const sandbox = await openSandbox();
  try {
    await copyRules(sandbox, files);
    const hookline = hooklineIn(sandbox, {});
    await hookline.writeConfig(packsOff());
    const { stdout } = await hookline.run(['try', '--batch'], { input: `${input.join('\n')}\n` });
    const denied = new Map<string, string>();
    for (const line of stdout.split('\n').filter(Boolean)) {
      const { id, decision, rules: by } = v.parse(Tried, JSON.parse(line));
      const { rule = '', command = '' } = candidates[id] ?? {};
      if (decision === 'deny' && by.includes(rule) && !denied.has(rule)) denied.set(rule, command);
    }
    return denied;
  } finally {
    await sandbox.close();
  }
}

/** So that nothing but the user's own rules has a say. */
const packsOff = once(() => ({ packs: Object.fromEntries(packNames().map((name) => [name, 'off'])) }));

async function copyRules({ hooklineHome }: Sandbox, files: readonly RuleFile[]): Promise<void> {
  const folder = join(hooklineHome, 'rules');
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) await writeFile(join(folder, name), text);
}

/** That a rule in these files denies this command. */
export function ruleCheck(id: string, command: string, files: readonly RuleFile[]): Check {
  return {
    name: id,
    promise: `denies: ${command}`,
    applies: () => true,
    rules: [],
    config: packsOff(),
    trustShell: true,
    prepare: (sandbox) => copyRules(sandbox, files),
    calls: (client) => [[client.shell(command)]],
    judge({ before, after, results }) {
      const asked = before(command);
      const read = results(1).join(' | ');
      if (!asked && !after(command))
        return [{ expected: 'Hookline is asked about it', seen: `it was not: ${read}`, state: 'changed' }];
      const [reason = ''] = (asked?.response.reason ?? '').split(/[.\n]/);
      return [
        ...expectThat(asked?.rules.includes(id) === true, `rule ${id} denies ${command}`, 'it did not'),
        ...expectThat(after(command) === undefined, `${command} does not run`, 'it ran'),
        ...expectThat(reason !== '' && read.includes(reason), `the model reads "${reason}"`, read),
      ];
    },
  };
}
