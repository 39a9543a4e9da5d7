import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { writePrivateFile } from '../../platform/files.ts';
import { shellWord } from '../../platform/shell-words.ts';
import { folded } from '../../terminal/fold.ts';
import { scopeNamed, setupContext } from '../agents/context.ts';
import { ownCommand, typedHere } from '../program.ts';

/** Enough time: the agent only writes a setting. */
const DEADLINE_MS = 60_000;

/** Adds `hookline mcp` to an agent, or removes it, with the agent's own command. Returns the exit code. */
export async function registerHistory(agent: Agent, what: 'add' | 'remove'): Promise<number> {
  const context = setupContext(homePaths(), scopeNamed(undefined, agent, 'mcp'));
  const { path } = await agent.setup.detect(context);
  if (path === null) {
    throw new HooklineError('AGENT_MISSING', `${agent.label} is not on PATH.`, {
      hint: 'Install it, or add `hookline mcp` to its MCP servers by hand.',
    });
  }
  const server = agent.history?.server;
  if (server === undefined) {
    throw new HooklineError('USAGE', `${agent.label} has no command to ${what} an MCP server.`, {
      hint: `Edit its settings by hand. The server command is \`${ownCommand('mcp').join(' ')}\`.`,
    });
  }
  const words = what === 'add' ? server.add('hookline', ownCommand('mcp')) : server.remove('hookline');
  const { status, error } = spawnSync(path, words, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  });
  if (error && 'code' in error && error.code === 'ETIMEDOUT')
    throw new HooklineError(
      'AGENT_UNREACHABLE',
      `${agent.label} did not ${what} the MCP server within ${DEADLINE_MS / 1000} s.`,
      { hint: `Run it yourself to see why: \`${[path, ...words].map(shellWord).join(' ')}\`.` },
    );
  const code = status === 0 ? 0 : 1;
  if (what === 'remove' && code === 0) rmSync(noteOf(agent), { force: true });
  return code;
}

/** True if setup registered the server, so that removing Hookline also removes it. */
export function isHistoryBySetup(agent: Agent): boolean {
  return existsSync(noteOf(agent));
}

/** Removes what setup registered. If that fails, it prints what to do. Returns the exit code. */
export async function unregisterHistory(agent: Agent): Promise<number> {
  const code = await registerHistory(agent, 'remove').catch((error: unknown) => {
    if (!(error instanceof HooklineError)) throw error;
    console.error(error.message);
    return 1;
  });
  if (code !== 0)
    console.error(
      typedHere(
        `The MCP server is still registered. Run \`hookline mcp --remove ${agent.id}\` to remove it.`,
      ),
    );
  return code;
}

/** The agent's own command writes its settings, so they don't show who asked for the server. */
function noteOf({ id }: Agent): string {
  return join(homePaths().setup, `mcp-${id}`);
}

/** Registers it with each of them, and continues after a failure. Returns 1 if one failed. */
export async function registerHistoryWith(agents: readonly Agent[]): Promise<number> {
  let code = 0;
  for (const agent of agents) {
    try {
      const own = await registerHistory(agent, 'add');
      if (own === 0) writePrivateFile(noteOf(agent), '');
      code = Math.max(code, own);
    } catch (error) {
      if (!(error instanceof HooklineError)) throw error;
      console.error(folded([error.message, typedHere(error.hint ?? '')].join(' ')));
      code = 1;
    }
  }
  return code;
}
