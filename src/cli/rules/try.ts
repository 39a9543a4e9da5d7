import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { AGENTS } from '../../agents/_registry.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { parseJson } from '../../model/json.ts';
import { suggestion } from '../../model/suggestion.ts';
import { TOOL_NAMES } from '../../model/tools.ts';
import { agentCalled } from '../agents/agent-name.ts';
import { FIRST_AGENT } from '../agents/first-agent.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { paint } from '../output/paint.ts';
import { openTrial, type Trial, triedLines } from './tried.ts';

const input = v.record(v.string(), v.unknown());
const line = v.object({
  id: v.optional(v.union([v.string(), v.number()])),
  agent: v.optional(v.string(), FIRST_AGENT),
  tool: v.string(),
  input: v.optional(input, {}),
  cwd: v.optional(v.string()),
});

export default defineCommand({
  name: 'try',
  summary:
    'Show what would happen to a tool call without running it: the decision, its source and the exact agent response.',
  options: {
    agent: value('A', `Agent that makes the call (${[...AGENTS.keys()].join(', ')}).`),
    tool: value('T', "Tool name: Bash, Write, … or the agent's own name for it."),
    input: value('JSON', 'Arguments of the call.'),
    cwd: value('DIR', 'Directory of the call, with --batch of lines without "cwd" (default: current).'),
    batch: flag(
      'Read {"id","agent","tool","input","cwd"} per line, write {"id","decision","reason","rules"} per line.',
    ),
    json: flag('As one JSON object.'),
  },
  examples: [
    [`hookline try --tool Bash --input '{"command":"git push --force"}'`, 'on every agent'],
    ['hookline try --batch < calls.ndjson', 'many calls at once'],
  ],
  async run({ agent, tool, input: text, cwd, batch, json }) {
    const trial = openTrial(homePaths());
    if (batch) return runBatch(trial, cwd);
    if (tool === undefined) throw usage('try', 'Missing tool. Pass --tool.');
    // An unknown tool name gets only a note, because MCP servers can add any name.
    const meant = TOOL_NAMES.includes(tool) ? null : suggestion(tool, TOOL_NAMES);
    if (meant) console.error(paint.yellow(`Unknown tool ${tool}; ${meant}`));
    const agents = agent === undefined ? [...AGENTS.keys()] : [agentCalled(agent)?.id ?? agent];
    const results = [];
    for (const one of agents) {
      const parsed = v.safeParse(input, parseJson(text ?? '{}'));
      if (!parsed.success) throw usage('try', "--input takes a JSON object with the tool's arguments.");
      const question = { agent: one, tool, input: parsed.output, ...(cwd === undefined ? {} : { cwd }) };
      results.push({ agent: one, ...(await trial.ask(question)) });
    }
    const problems = trial.problems(cwd ?? process.cwd());
    if (json) {
      const all = results.map((result) => ({ ...result, problems }));
      console.log(JSON.stringify(agent === undefined ? all : all[0]));
      return 0;
    }
    for (const { where, message } of problems) console.log(paint.red(`${where}: ${message}`));
    for (const result of results) {
      console.log(triedLines(result.agent, result).join('\n'));
      console.log(paint.dim(`  ${JSON.stringify(result.answer)}`));
      for (const { effect, reason } of result.degraded) console.log(paint.yellow(`  ${effect}: ${reason}`));
    }
    return 0;
  },
});

/** A line without a directory of its own is a call in `cwd`. */
async function runBatch(trial: Trial, cwd?: string): Promise<number> {
  let number = 0;
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (text.trim() === '') continue;
    const parsed = v.safeParse(line, parseJson(text));
    if (!parsed.success) {
      throw new HooklineError('USAGE', `Line ${number} of the batch: ${parsed.issues[0].message}`, {
        hint: 'Each line must be {"id","agent","tool","input","cwd"}.',
      });
    }
    const { decision, reason, rules } = await trial.ask({
      ...(cwd === undefined ? {} : { cwd }),
      ...parsed.output,
    });
    console.log(JSON.stringify({ id: parsed.output.id ?? number, decision, reason, rules }));
  }
  return 0;
}
