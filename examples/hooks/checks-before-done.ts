import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { defineHook, deny } from 'hookline';

const COMMAND = 'npm run check --silent';
const LAST_LINES = 30;

export default defineHook({
  on: ['after_tool', 'turn_end'],
  timeoutMs: 120_000,
  async run(event, { session, signal }) {
    if (event.type === 'after_tool') {
      if (event.tool.files.some(({ op }) => op !== 'read')) session.state.changed = true;
      return;
    }
    // Sent back once in a turn: what the agent could not fix then is for you to see.
    if (event.stopHookActive || session.state.changed !== true || event.cwd === null) return;
    const failure = await failureOf(COMMAND, event.cwd, signal);
    if (failure !== null) return deny(`\`${COMMAND}\` fails. Fix it before you stop.\n${failure}`);
    session.state.changed = false;
  },
});

/** The end of what a failing command printed; null when it passed. */
async function failureOf(command: string, cwd: string, signal: AbortSignal): Promise<string | null> {
  try {
    await promisify(exec)(command, { cwd, signal });
    return null;
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error;
    return `${error.stdout}${error.stderr}`.trim().split('\n').slice(-LAST_LINES).join('\n');
  }
}
