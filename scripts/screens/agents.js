// Plays agents against a daemon: calls of now and of days ago, each as its client would send it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** What the events and tools of a client are called. */
const DIALECTS = {
  claude: {
    prompt: 'UserPromptSubmit',
    before: 'PreToolUse',
    after: 'PostToolUse',
    failed: 'PostToolUseFailure',
    stop: 'Stop',
    shell: 'Bash',
  },
  codex: {
    prompt: 'UserPromptSubmit',
    before: 'PreToolUse',
    after: 'PostToolUse',
    failed: 'PostToolUse',
    stop: 'Stop',
    shell: 'Bash',
  },
  gemini: {
    prompt: 'BeforeAgent',
    before: 'BeforeTool',
    after: 'AfterTool',
    failed: 'AfterTool',
    stop: 'AfterAgent',
    shell: 'run_shell_command',
  },
};

export function openAgents(socketPath, folder) {
  let requests = 0;
  const open = [];

  /** An agent that accepts nothing is answered at once, however old the call is. */
  function ask(agent, payload, at, accepts = []) {
    requests += 1;
    const id = `screen-${requests}`;
    return new Promise((resolve, reject) => {
      const socket = connect(socketPath);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        const lines = text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line));
        const answer = lines.find((line) => line.payload || line.error);
        if (!answer) return;
        socket.end();
        resolve(answer.payload);
      });
      socket.on('error', reject);
      socket.write(`${JSON.stringify({ request_id: id, ts: at, agent, payload, accepts })}\n`);
      open.push(socket);
    });
  }

  /** A folder with a branch checked out in it. */
  function repository(name, branch) {
    const path = join(folder, branch.replaceAll('/', '-'), name);
    mkdirSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
    return path;
  }

  return {
    repository,
    /** A session that says when each thing happened. */
    session(agent, cwd, id, start) {
      const words = DIALECTS[agent];
      let at = start;
      let calls = 0;
      const common = { session_id: id, cwd, transcript_path: '', permission_mode: 'default' };
      const send = (more) => ask(agent, { ...common, timestamp: new Date(at).toISOString(), ...more }, at);
      const call = (tool_name, tool_input, more = {}) => {
        calls += 1;
        return { tool_name, tool_input, tool_use_id: `${id}-${calls}`, ...more };
      };
      const run = async (tool, input, seconds, { output = 'ok', failed = false, extra = {} } = {}) => {
        const about = { ...call(tool, input), ...extra };
        const answer = JSON.stringify(await send({ hook_event_name: words.before, ...about }));
        at += 1_000;
        // What was refused does not run.
        if (/"(?:deny|block)"/.test(answer)) return;
        at += seconds * 1_000;
        const response =
          agent === 'gemini'
            ? { llmContent: output, ...(failed ? { error: output } : {}) }
            : { stdout: output, stderr: '' };
        const result =
          failed && agent === 'claude' ? { error: `Exit code 1\n${output}` } : { tool_response: response };
        await send({ hook_event_name: failed ? words.failed : words.after, ...about, ...result });
        at += 4_000;
      };
      return {
        id,
        wait: (seconds) => {
          at += seconds * 1_000;
        },
        start: () => send({ hook_event_name: 'SessionStart', source: 'startup' }),
        prompt: (prompt) => {
          at += 1_000;
          return send({ hook_event_name: words.prompt, prompt });
        },
        bash: (command, seconds = 2, more) => run(words.shell, { command }, seconds, more),
        tool: run,
        /** Begins, and does not end. */
        begin: (command) => send({ hook_event_name: words.before, ...call(words.shell, { command }) }),
        say: (text) => {
          at += 3_000;
          const said =
            agent === 'gemini' ? { prompt: '', prompt_response: text } : { last_assistant_message: text };
          return send({ hook_event_name: words.stop, stop_hook_active: false, ...said });
        },
        end: () => send({ hook_event_name: 'SessionEnd', reason: 'other' }),
        /** Waits for an answer; resolves with it. */
        ask: (tool, input, event = words.before) =>
          ask(
            agent,
            { ...common, hook_event_name: event, ...call(tool === 'shell' ? words.shell : tool, input) },
            Date.now(),
            ['hold_ms', 'error'],
          ),
      };
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}
