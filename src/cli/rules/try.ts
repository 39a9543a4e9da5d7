import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
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
import { groupedLines, openTrial, type Trial } from './tried.ts';

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
    'Show what would happen to a tool call without running it: the decision, its source and, for one agent, the exact response.',
  words: '[command]',
  text: 'command',
  options: {
    agent: value(
      'A',
      `Agent that makes the call (${[...AGENTS.keys()].join(', ')}). Also shows its exact response.`,
    ),
    tool: value('T', "Instead of a command: Write, … or the agent's own name for a tool."),
    input: value('JSON', 'Arguments of that tool.'),
    cwd: value('DIR', 'Directory of the call, with --batch of lines without "cwd" (default: current).'),
    batch: flag(
      'Read {"id","agent","tool","input","cwd"} per line, write {"id","decision","reason","rules"} per line.',
    ),
    json: flag('As one JSON object.'),
  },
  examples: [
    ["hookline try 'git push --force'", 'on every agent'],
    [`hookline try --agent claude --tool Write --input '{"file_path":".env"}'`, 'another tool, one agent'],
    ['hookline try --batch < calls.ndjson', 'many calls at once'],
  ],
  async run({ agent, tool, input: json, cwd, batch, json: asJson }, [command]) {
    const trial = openTrial(homePaths());
    if (batch) return runBatch(trial, cwd);
    const call = await callIn({ command, tool, json });
    const agents = agent === undefined ? [...AGENTS.keys()] : [agentCalled(agent)?.id ?? agent];
    const results = [];
    for (const one of agents) {
      const tried = await trial.ask({ agent: one, ...call, ...(cwd === undefined ? {} : { cwd }) });
      results.push({ agent: one, tried });
    }
    const problems = trial.problems(cwd ?? process.cwd());
    if (asJson) {
      const all = results.map(({ agent: name, tried }) => ({ agent: name, ...tried, problems }));
      console.log(JSON.stringify(agent === undefined ? all : all[0]));
      return 0;
    }
    for (const { where, message } of problems) console.log(paint.red(`${where}: ${message}`));
    for (const text of groupedLines(results)) console.log(text);
    if (agent !== undefined)
      for (const { tried } of results) console.log(paint.dim(`  ${JSON.stringify(tried.answer)}`));
    return 0;
  },
});

interface Typed {
  readonly command: string | undefined;
  readonly tool: string | undefined;
  readonly json: string | undefined;
}

/** A bare command is a call of the shell tool. */
async function callIn({
  command,
  tool,
  json,
}: Typed): Promise<{ tool: string; input: v.InferOutput<typeof input> }> {
  if (command !== undefined) {
    if (tool !== undefined || json !== undefined)
      throw usage('try', 'A command goes without --tool and --input.');
    const line = command === '-' ? (await readText(process.stdin)).trimEnd() : command;
    return { tool: 'Bash', input: { command: line } };
  }
  if (tool === undefined && json !== undefined) throw usage('try', 'Missing --tool, such as Bash.');
  if (tool === undefined) throw usage('try', "Missing command. Example: `hookline try 'git push --force'`.");
  if (json === undefined) throw usage('try', `Missing --input, such as '{"command":"ls"}'.`);
  // An unknown tool name gets only a note, because MCP servers can add any name.
  const meant = TOOL_NAMES.includes(tool) ? null : suggestion(tool, TOOL_NAMES);
  if (meant) console.error(paint.yellow(`Unknown tool ${tool}; ${meant}`));
  const parsed = v.safeParse(input, parseJson(json));
  if (!parsed.success) throw usage('try', "--input takes a JSON object with the tool's arguments.");
  return { tool, input: parsed.output };
}

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
