import { join } from 'node:path';
import { HooklineError } from '../model/errors.ts';
import type { Client } from '../sandbox/client.ts';
import type { Finished } from '../sandbox/process.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Block, Step } from '../sandbox/script.ts';
import { clientProgram, type ProgramChoice, runnableAgent } from './client-program.ts';
import { type GivenRules, textOfRules } from './given-rules.ts';
import { assertNoneFailed, loadHooks } from './loaded-hooks.ts';
import { type HookFiles, readProjectFiles, writeFiles, writeHooks } from './project-files.ts';
import type { RecordedEvent } from './recorded-event.ts';
import { hostsWanted, playScene, type Scene } from './scene.ts';

/** What a script is made with, so that one script works for every client. */
export interface ClientTools {
  /** A shell command, as this client's model asks for one. */
  shell(command: string): Block;
  /** The full path of the project. */
  readonly project: string;
}

export interface RunClientOptions extends ProgramChoice {
  /** What the model says, step by step; the last step ends the turn. */
  readonly script: readonly Step[] | ((tools: ClientTools) => readonly Step[]);
  readonly prompt: string;
  /** The rules of the user: YAML, or the URL of a file. */
  readonly rules?: GivenRules;
  /** The hooks of the user. */
  readonly hooks?: HookFiles;
  /** What is in the project, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** For the client and everything it starts. Not what keeps it in its sandbox, such as HOME: that is refused. */
  readonly env?: Readonly<Record<string, string>>;
  /** Let shell commands run without the client's own question, so that only Hookline has a say: true unless given. */
  readonly trustShell?: boolean;
}

/** What the model got when it was asked for a step. */
export interface ModelStep {
  /** All that it was told, as one text; empty where this step was never asked for. */
  readonly told: string;
  /** The results of the calls that it made in the step before, in their order. */
  readonly results: readonly string[];
}

/** What happened. */
export interface ClientRun extends Finished {
  /** Of the client; null where it does not say. */
  readonly version: string | null;
  /** What Hookline recorded, oldest first. */
  readonly events: readonly RecordedEvent[];
  /** One for each step of the script. */
  readonly steps: readonly ModelStep[];
  /** Steps that were asked for and that the script does not have: the client went on longer than expected. */
  readonly missingSteps: readonly number[];
  /** The project afterwards: texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Hosts other than loopback that were asked for, always refused; without those that the client is known to ask for. */
  readonly wanted: readonly string[];
}

/**
 * Lets a real client work on a prompt in an empty sandbox, with Hookline set up by its own commands and a model that
 * follows a script. Nothing but loopback can be reached, and nothing is left behind. Rejects where the client, a rule
 * file or a hook cannot be used (AGENT_MISSING, RULE_INVALID, HOOK_FAILED), and without a prompt or a script (USAGE); what the client then makes of it is in the result.
 * @example
 * import assert from 'node:assert/strict';
 * import { runClient } from 'hookline/testing';
 *
 * const [, , agent = ''] = process.argv;
 * const run = await runClient(agent, {
 *   prompt: 'Clean up.',
 *   script: ({ shell }) => [[shell('rm -rf build')], 'Done.'],
 *   hooks: ['hooks/keep-build.ts'],
 *   files: { 'build/app.js': '' },
 *   install: true,
 * });
 * assert.match(run.steps[1]?.results[0] ?? '', /build is kept/);
 * assert.ok('build/app.js' in run.files);
 */
export async function runClient(agentId: string, options: RunClientOptions): Promise<ClientRun> {
  assertTurn(options);
  stayInside(options.env ?? {});
  const found = await runnableAgent(agentId);
  const { client } = found;
  const { program, version } = await clientProgram(found, options);
  const rules = options.rules === undefined ? undefined : await textOfRules(options.rules);
  let length = 0;
  const plan = {
    script: (sandbox: Sandbox) => {
      const script = stepsOf(options, client, sandbox);
      length = script.length;
      return script;
    },
    ...(rules === undefined ? {} : { rules }),
    ...(options.env === undefined ? {} : { env: options.env }),
    prepare: async ({ project, hooklineHome }: Sandbox) => {
      await writeFiles(project, options.files ?? {});
      await writeHooks(join(hooklineHome, 'hooks'), options.hooks ?? []);
    },
  };
  return await playScene(client, program, plan, async (scene) => {
    if (options.hooks !== undefined) await loadHooks(scene);
    const finished = await scene.turn(options.prompt, { trustShell: options.trustShell ?? true });
    await assertNoneFailed(scene);
    return await outcome(client, scene, finished, { version, length });
  });
}

const HELD_BY =
  /^(?:HOME|USERPROFILE|HOOKLINE_HOME|HOOKLINE_SCRIPT_KEY|TMPDIR|XDG_\w+|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** `env: process.env` would lead the client to the user's own settings, credentials and Hookline. Throws USAGE. */
function stayInside(env: Readonly<Record<string, string>>): void {
  const name = Object.keys(env).find((one) => HELD_BY.test(one));
  if (name === undefined) return;
  throw new HooklineError('USAGE', `The variable ${name} would lead the client out of its sandbox.`, {
    hint: 'Give only the variables that the test is about, not all of process.env.',
  });
}

/** The compiler says so, too, where there is one; a client without a prompt would run until its deadline. */
function assertTurn({ prompt, script }: Partial<RunClientOptions>): void {
  const missing = !prompt?.trim() ? 'prompt' : script === undefined ? 'script' : null;
  if (missing === null) return;
  throw new HooklineError('USAGE', `runClient() needs a ${missing}.`, {
    hint: "Give both: { prompt: 'Hi', script: ['Hello.'] }.",
  });
}

function stepsOf({ script }: RunClientOptions, client: Client, { project }: Sandbox): readonly Step[] {
  return typeof script === 'function'
    ? script({ shell: (command) => client.shell(command), project })
    : script;
}

async function outcome(
  client: Client,
  { sandbox, hookline, model }: Scene,
  finished: Finished,
  { version, length }: { readonly version: string | null; readonly length: number },
): Promise<ClientRun> {
  return {
    ...finished,
    version,
    events: await hookline.events(),
    steps: Array.from({ length }, (_, step) => ({
      told: model.told(step) ?? '',
      results: model.results(step),
    })),
    missingSteps: [...model.missingSteps],
    files: await readProjectFiles(sandbox.project),
    wanted: hostsWanted(sandbox, [client]),
  };
}
