import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import type { Agent } from '../../agents/agent.ts';
import { scopesOf } from '../../agents/setup/setup.ts';
import { readHistory } from '../../client/history.ts';
import { anonymizer, redactionsIn } from '../../history/anonymize.ts';
import { type CapturedCall, callsOfRun, capturedCalls } from '../../history/captured-calls.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { userName } from '../../platform/user-name.ts';
import { listEvents } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { folded } from '../../terminal/fold.ts';
import { VERSION } from '../../version.ts';
import { RUN_VARIABLE, runIn } from '../../wire/run-id.ts';
import { agentNamed, setupContext } from '../agents/context.ts';
import { FIRST_AGENT } from '../agents/first-agent.ts';
import { hookedContexts } from '../agents/hooked.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { columns } from '../output/columns.ts';
import { paint } from '../output/paint.ts';
import { emptyFolder, writeRecording } from './record-files.ts';
import { runHere } from './run-recorded.ts';

export default defineCommand({
  name: 'record',
  summary:
    'Run an agent and save its hook payloads and answers for a bug report or test, with secrets and names removed.',
  words: '<agent>',
  passes: '<command…>',
  mustPass: true,
  options: {
    out: value('DIR', 'New or empty directory to write to (hookline-record-<agent>).'),
    json: flag("Print the summary as one JSON object; the agent's output goes to stderr."),
  },
  examples: [
    [`hookline record ${FIRST_AGENT} -- ${FIRST_AGENT} -p "List the files here"`, 'one prompt'],
    [
      `hookline record ${FIRST_AGENT} --out report -- ${FIRST_AGENT}`,
      'a whole session: work in it, then exit',
    ],
  ],
  async run({ out, json = false }, [name], _, command) {
    const agent = agentNamed(name, 'record');
    if (command.length === 0)
      throw usage(
        'record',
        `Missing command. Put it after --: \`hookline record ${agent.id} -- ${agent.id} …\``,
      );
    const paths = homePaths();
    const version = await versionOf(agent, paths);
    const folder = emptyFolder(out ?? `hookline-record-${agent.id}`);
    const before = await readHistory(
      paths,
      (db) => listEvents(db, { newest: true, limit: 1 }).at(-1)?.row ?? 0,
    );
    console.error(paint.dim(`hookline: recording what ${agent.label} sends to hooks, until it ends.`));
    // Inside a run, its ID stays. Under another ID, the limits of that run would be unknown.
    const run = runIn(process.env) === null ? randomBytes(8).toString('hex') : null;
    const exitCode = await runHere(command, json, run === null ? {} : { [RUN_VARIABLE]: run });
    const events = await readHistory(paths, (db) => listEvents(db, { source: agent.id, afterRow: before }));
    const calls = capturedHere(events, run);
    if (calls.length === 0) throw nothingSent(agent, exitCode);
    writeRecording(folder, calls, {
      clientVersion: version,
      capturedAt: new Date().toISOString().slice(0, 10),
      source: 'captured with hookline record',
      agent: agent.id,
      hooklineVersion: VERSION,
      platform: process.platform,
      exitCode,
    });
    const summary = summaryOf(folder, calls, exitCode);
    console.log(json ? JSON.stringify(summary) : linesOf(agent, version, summary).join('\n'));
    return 0;
  },
});

/** Throws if the agent calls no hook of ours, because nothing would be recorded. */
async function versionOf(agent: Agent, paths: HomePaths): Promise<string | null> {
  const contextOf = (scope: Parameters<typeof setupContext>[1]) => setupContext(paths, scope);
  if (hookedContexts(agent, contextOf).length === 0)
    throw new HooklineError(
      'NOT_FOUND',
      `${agent.label} does not call Hookline here, so nothing can be recorded.`,
      {
        hint: `Run \`hookline setup ${agent.id}\` first.`,
      },
    );
  return (await agent.setup.detect(contextOf(scopesOf(agent.setup)[0]))).version;
}

function capturedHere(events: readonly StoredEvent[], run: string | null): readonly CapturedCall[] {
  const real = (path: string) => {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  };
  const home = process.env.HOME || homedir();
  const cwd = process.cwd();
  const clean = anonymizer({
    homes: [...new Set([home, real(home)])],
    projects: [...new Set([cwd, process.env.PWD ?? cwd])],
    user: userName(),
    host: hostname(),
  });
  return capturedCalls(callsOfRun(events, cwd, run), clean);
}

function nothingSent({ id, label }: Agent, exitCode: number | null): HooklineError {
  if (exitCode !== null && exitCode !== 0)
    return new HooklineError('NOT_FOUND', `The command failed (${exitCode}) before ${label} called a hook.`, {
      hint: 'See its error message above. Fix that, then record again.',
    });
  return new HooklineError(
    'NOT_FOUND',
    `The command ended with ${exitCode ?? 'a signal'}, and ${label} called no hook in this directory.`,
    { hint: `Run it in a directory where it works. \`hookline doctor\` shows whether ${id} calls Hookline.` },
  );
}

interface Summary {
  readonly folder: string;
  /** The number of calls, by the agent's name for the event. */
  readonly events: Readonly<Record<string, number>>;
  /** The number of removed secrets, by kind. */
  readonly redacted: Readonly<Record<string, number>>;
  readonly exitCode: number | null;
}

function summaryOf(folder: string, calls: readonly CapturedCall[], exitCode: number | null): Summary {
  const events: Record<string, number> = {};
  for (const { name } of calls) {
    const [event = ''] = name.split('/');
    events[event] = (events[event] ?? 0) + 1;
  }
  return { folder, events, redacted: redactionsIn(JSON.stringify(calls)), exitCode };
}

function linesOf({ label }: Agent, version: string | null, summary: Summary): readonly string[] {
  const total = Object.values(summary.events).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(summary.redacted).map(([kind, count]) => `${count} × ${kind}`);
  return [
    `${paint.green('Wrote')} ${counted(total, 'call')} of ${label}${version === null ? '' : ` ${version}`} to ${paint.bold(summary.folder)}`,
    ...columns(Object.entries(summary.events).map(([event, count]) => [event, String(count)])),
    folded(
      `Secrets removed: ${kinds.length === 0 ? 'none' : kinds.join(', ')}. Names of you, this machine, your home and this directory are replaced.`,
    ),
    paint.dim(folded("Check it before you share it: it may contain secrets that Hookline didn't recognize.")),
  ];
}
