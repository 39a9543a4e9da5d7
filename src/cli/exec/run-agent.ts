import { AGENTS } from '../../agents/_registry.ts';
import type { Agent, AgentBridge } from '../../agents/agent.ts';
import { connectOrStart } from '../../client/client.ts';
import { askDaemonOf } from '../../forwarder/ask-daemon.ts';
import { fallback } from '../../forwarder/fallback.ts';
import { homePaths } from '../../home/paths.ts';
import { type NativeAnswer, type NativeCall, PASSTHROUGH } from '../../model/native.ts';
import { VERSION } from '../../version.ts';
import { homeFolder } from '../../wire/home-folder.ts';
import { newRequestId, requestLine } from '../../wire/request.ts';
import type { Command } from '../command.ts';
import { columns } from '../output/columns.ts';
import { paint } from '../output/paint.ts';

/** The commands that run an agent with Hookline attached, by agent ID. */
export function agentCommands(): ReadonlyMap<string, Command> {
  return new Map(
    [...AGENTS.values()].flatMap((agent) => (agent.bridge ? [[agent.id, commandOf(agent)]] : [])),
  );
}

function commandOf(agent: Agent): Command {
  const summary = agent.bridge?.summary ?? '';
  return {
    name: agent.id,
    summary,
    // All arguments after the name go to the agent.
    words: '',
    options: {},
    examples: [],
    async run(args) {
      const bridge = await agent.bridge?.load();
      if (!bridge) return 1;
      if (args[0] === '--help' || args[0] === '-h') {
        console.log(help(agent.id, summary, bridge));
        return 0;
      }
      return await runBridge(agent.id, bridge, args);
    },
  };
}

async function runBridge(agent: string, bridge: AgentBridge, args: readonly string[]): Promise<number> {
  await connectOrStart(homePaths());
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave);
  try {
    return await bridge.run(args, {
      env: process.env,
      cwd: process.cwd(),
      version: VERSION,
      signal: leaving.signal,
      call: (call, signal) => judged(homeFolder(), agent, call, signal),
      newId: () => newRequestId(Date.now()),
      print: (text) => console.log(text),
      say: (text) => console.error(`${paint.dim('hookline:')} ${text}`),
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave);
  }
}

/** Asks the daemon; without one, evaluates the call in this process, as the forwarder would. */
async function judged(
  home: string,
  agent: string,
  call: NativeCall,
  signal?: AbortSignal,
): Promise<NativeAnswer> {
  const { id, receivedAt: ts, event, env } = call;
  const bytes = Buffer.from(JSON.stringify(call.payload));
  const stdin = { bytes, total: bytes.length };
  const line = requestLine({ id, ts, agent, event, env, stdin });
  const { answer } = await askDaemonOf({ home, id, line, signal });
  // The daemon has the call and records how it ends.
  if (signal?.aborted) return PASSTHROUGH;
  return answer ?? (await fallback({ home, requestId: id, agent, event, env, stdin: bytes, ts }));
}

function help(id: string, summary: string, bridge: AgentBridge): string {
  const forms = bridge.forms.map(([words, meaning]) => [`hookline ${id} ${words}`, meaning]);
  const examples = bridge.examples.map(([words, meaning]) => [`hookline ${id} ${words}`.trimEnd(), meaning]);
  return [
    summary,
    '',
    paint.bold('Usage'),
    ...columns(forms),
    '',
    paint.bold('Options'),
    ...columns(bridge.options),
    '',
    paint.bold('Examples'),
    ...columns(examples),
  ].join('\n');
}
