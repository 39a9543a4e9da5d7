/** Each agent's names for common fields of calls. */
const AGENTS = {
  claude: { before: 'PreToolUse', after: 'PostToolUse', shell: 'Bash', edit: 'Edit' },
  codex: { before: 'PreToolUse', after: 'PostToolUse', shell: 'Bash', edit: 'Edit' },
  gemini: { before: 'BeforeTool', after: 'AfterTool', shell: 'run_shell_command', edit: 'replace' },
};

/**
 * Of every four calls two are about a command that was never seen before, and two about an edit; one of each comes before
 * the tool and one after it. The same in every run, so that its cost can be compared.
 *
 * @param {string} lane
 * @param {number} round
 * @param {readonly string[]} agents
 * @returns {{ agent: string, payload: object }}
 */
export function typicalCall(lane, round, agents) {
  const tool = Math.floor(round / 2);
  const agent = agents[Math.floor(tool / 2) % agents.length];
  const { before, after, shell, edit } = AGENTS[agent];
  const isAfter = round % 2 === 1;
  const file = `src/part-${lane.replaceAll(' ', '-')}-${tool}.ts`;
  const used =
    tool % 2 === 0
      ? { tool_name: shell, tool_input: { command: `npm test -- --run ${file} | tail -20` } }
      : { tool_name: edit, tool_input: { file_path: file, old_string: 'a', new_string: 'b' } };
  const payload = {
    session_id: `session-${lane}-${agent}`,
    transcript_path: '/home/dev/transcript.jsonl',
    cwd: '/home/dev/shop',
    permission_mode: 'default',
    model: 'any',
    turn_id: 'turn',
    timestamp: new Date(0).toISOString(),
    hook_event_name: isAfter ? after : before,
    tool_use_id: `toolu-${lane}-${tool}`,
    ...used,
    ...(isAfter ? { tool_response: { stdout: 'done' } } : {}),
  };
  return { agent, payload };
}
