import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { connect } from '../../client/client.ts';
import { openConfirmed } from '../../home/confirmed/confirmed.ts';
import { configInForceOrStrictest } from '../../home/confirmed/in-force.ts';
import { pendingChanges, pendingWords } from '../../home/confirmed/pending.ts';
import { findWritableByOthers } from '../../home/ownership.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { parseJson } from '../../model/json.ts';
import { forwarderPath } from '../../wire/forwarder-settings.ts';
import { setupContext } from '../agents/context.ts';
import { hookedContexts } from '../agents/hooked.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'statusline',
  summary:
    "Print the text for an agent's status line: whether it is guarded, pending approvals, and denials in this session.",
  words: '[agent]',
  options: {},
  examples: [['hookline setup claude --statusline', 'show it in the agent']],
  async run(_, [name]) {
    const paths = homePaths();
    const agent = name === undefined ? undefined : AGENTS.get(name);
    const given = await readStdin();
    const session = agent?.setup.statusLineSession?.(parseJson(given)) ?? '';
    const news = await askDaemon(paths, session).catch(() => null);
    console.log(statusLine(isGuarded(paths, agent), news, unconfirmedIn(paths)));
    return 0;
  },
});

const news = v.object({
  pending: v.number(),
  denied: v.number(),
  unlockedUntil: v.nullable(v.string()),
});
type News = v.InferOutput<typeof news>;

/** The agent redraws often and doesn't wait, so slow parts are left out. */
const DAEMON_MS = 300;
const STDIN_MS = 200;
const STDIN_CHARS = 1 << 16;

async function askDaemon(paths: HomePaths, session: string): Promise<News | null> {
  const client = await connect(paths, DAEMON_MS);
  if (!client) return null;
  return v.parse(news, await client.get(`/api/statusline?session=${encodeURIComponent(session)}`));
}

/** Reads files only and needs no daemon. */
export function unconfirmedIn(paths: HomePaths): string | null {
  return pendingWords(pendingChanges(paths, openConfirmed(paths)));
}

export function statusLine(guarded: boolean, said: News | null, unconfirmed: string | null): string {
  if (!guarded) return 'hookline ✗ not guarded (hookline doctor)';
  return [
    'hookline ✓',
    ...(said && said.pending > 0 ? [`${said.pending} pending (hookline watch)`] : []),
    ...(said && said.denied > 0 ? [`${said.denied} denied`] : []),
    ...(said?.unlockedUntil ? ['protected rules paused'] : []),
    ...(unconfirmed === null ? [] : [unconfirmed]),
  ].join(' · ');
}

/** Checks only that the hooks exist and lead to an existing forwarder. `doctor` checks the rest. */
function isGuarded(paths: HomePaths, agent: Agent | undefined): boolean {
  if (!existsSync(forwarderPath(paths.root)) || findWritableByOthers(paths) !== null) return false;
  if (!agent) return true;
  const config = configInForceOrStrictest(paths);
  const contexts = hookedContexts(agent, (scope) => setupContext(paths, scope, [], config));
  return contexts.some((context) => agent.setup.inspect(context).every(({ level }) => level !== 'problem'));
}

/** The agent's session data on stdin; empty if there is none. */
async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const text = await new Promise<string>((resolve) => {
    let read = '';
    const done = () => resolve(read);
    const timer = setTimeout(done, STDIN_MS);
    process.stdin.setEncoding('utf8').on('data', (part: string) => {
      read += part;
      if (read.length > STDIN_CHARS) done();
    });
    process.stdin.on('end', done).on('error', done);
    timer.unref();
  });
  // An agent that keeps stdin open must not block this command.
  process.stdin.destroy();
  return text;
}
