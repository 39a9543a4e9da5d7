import { text } from 'node:stream/consumers';
import { ON_PERMISSION, ON_QUESTION } from '../../approvals/runs.ts';
import { connectOrStart } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { setupContext } from '../agents/context.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';
import { checkedPrompt, refuseEscapes, refuseVariables, timeoutOf, withGiven } from './arguments.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { lastMessageFile, writeLastMessage } from './last-message-file.ts';
import { findRunnable, whyUnguarded } from './prepare.ts';
import { printForPeople, printJson } from './printer.ts';
import { notStarted } from './result.ts';
import { runUnderPolicy } from './run-under-policy.ts';

export default defineCommand({
  name: 'exec',
  summary:
    'Run an agent headless on one prompt, under your rules, with your own model and login, in this directory. Prints the last message to stdout and one row per call to stderr.',
  words: '<agent> <prompt>',
  text: 'prompt',
  passes: 'arguments of the agent',
  options: {
    'on-permission': value(
      ON_PERMISSION.join('|'),
      'Calls that need approval: `rules` = leave to the agent, which denies what it would ask (default); `deny` = Hookline denies them at once; `ask` = keep them pending until you answer.',
    ),
    'on-question': value(ON_QUESTION.join('|'), 'Questions to the user: `deny` (default) or `ask` you.'),
    timeout: value('TIME', 'Time limit, such as 90s, 10m or 2h.'),
    'output-last-message': value('FILE', 'Write the last message to a file.'),
    json: flag('One JSON object per line: events, then the result.'),
  },
  exitCodes: [
    ['0', 'done; calls may have been denied'],
    ['1', 'invalid arguments, or Hookline failed'],
    [String(EXIT_CODES.denied), 'the prompt was denied, or the turn was halted'],
    [String(EXIT_CODES.gated), 'a rule or hook denied ending the turn, but the agent ended it anyway'],
    [String(EXIT_CODES.timeout), 'timed out'],
    [String(EXIT_CODES.failed), 'the agent failed'],
    [String(EXIT_CODES.unguarded), 'the agent is not set up, or ran without its hooks'],
    [`${EXIT_CODES.interrupted}, ${EXIT_CODES.terminated}`, 'ended by SIGINT or SIGTERM'],
  ],
  examples: [
    ['hookline exec claude "fix the tests"', 'exits with 0 when it is done'],
    ['hookline exec codex "review this" --timeout 10m --json', 'for scripts: the same lines for every agent'],
    ['hookline exec gemini "write the docs" -- --approval-mode auto_edit', 'pass arguments to the agent'],
    ['hookline exec codex - < prompt.md', 'read the prompt from stdin'],
    [
      'hookline exec claude "clean up" --on-permission ask',
      'answer with `hookline watch` or `hookline approve`',
    ],
  ],
  async run(options, [name, word], _by, passed) {
    const paths = homePaths();
    const policy = {
      onPermission: oneOf(ON_PERMISSION, 'on-permission', options['on-permission'] ?? 'rules'),
      onQuestion: oneOf(ON_QUESTION, 'on-question', options['on-question'] ?? 'deny'),
    };
    const timeoutMs = options.timeout === undefined ? null : timeoutOf(options.timeout);
    const output = options['output-last-message'];
    const file = output === undefined ? null : lastMessageFile(output, paths);
    const runnable = await findRunnable(name);
    const { agent, client } = runnable;
    if (word === undefined) throw usage('exec', `Missing prompt for ${agent.label}.`);
    const prompt = checkedPrompt(word === '-' ? (await text(process.stdin)).trim() : word);
    const args = withGiven(client.turn(prompt, {}), prompt, passed);
    refuseEscapes(agent, args);
    refuseVariables(agent, setupContext(paths, 'user'));
    const { client: daemon } = await connectOrStart(paths);
    const unguarded = whyUnguarded(agent, paths);
    if (unguarded !== null) {
      console.error(folded(`${paint.red('hookline:')} unguarded: ${unguarded.message}`));
      if (unguarded.fix !== null) console.error(folded(typedHere(unguarded.fix)));
      if (options.json) printJson().result(notStarted(agent.id, unguarded.message));
      return EXIT_CODES.unguarded;
    }
    if (client.promptUnseen)
      console.error(
        paint.dim(
          `${agent.label} calls no hook for the prompt in headless mode, so rules about prompts don't apply.`,
        ),
      );
    const printer = options.json ? printJson() : printForPeople();
    const result = await runUnderPolicy({ ...runnable, paths, daemon, args, policy, timeoutMs, printer });
    // Printed first, so that a script gets its last line even if the file can't be written.
    printer.result(result);
    if (file !== null) writeLastMessage(file, result.lastMessage);
    return result.exitCode;
  },
});

function oneOf<const T extends string>(values: readonly T[], name: string, given: string): T {
  const found = values.find((value) => value === given);
  if (found === undefined) throw usage('exec', `--${name} takes ${values.join(', ')}, not "${given}".`);
  return found;
}
