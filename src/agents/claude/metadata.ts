/** Native fields that no event type has a place for, by the name we give them. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['prompt_id', 'promptId'],
  ['agent_type', 'agentType'],
  ['scratchpad_dir', 'scratchpadDir'],
  ['turn_id', 'turnId'],
  ['command_source', 'commandSource'],
  ['requested_model', 'requestedModel'],
  ['context_tokens', 'contextTokens'],
  ['prompt_cache_warm', 'promptCacheWarm'],
  ['prompt_cache_likely_expired', 'promptCacheLikelyExpired'],
  ['cache_ttl', 'cacheTtl'],
  ['estimated_cache_write_usd', 'estimatedCacheWriteUsd'],
  ['pricing', 'pricing'],
  ['seconds_since_last_response', 'secondsSinceLastResponse'],
  ['session_crons', 'sessionCrons'],
  ['team_name', 'teamName'],
  ['url', 'elicitationUrl'],
  ['elicitation_id', 'elicitationId'],
  ['globs', 'globs'],
  ['trigger_file_path', 'triggerFilePath'],
  ['parent_file_path', 'parentFilePath'],
]);

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['CLAUDE_PROJECT_DIR', 'projectDir'],
  ['CLAUDE_CODE_ENTRYPOINT', 'entrypoint'],
]);

/** What else is worth knowing of a call: flat, in our own names, without what is absent. */
export function metadataOf(
  name: string,
  wire: Readonly<Record<string, unknown>> & {
    readonly effort?: { level?: string | null | undefined } | null | undefined;
  },
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const [native, ours] of NAMES) {
    const value = wire[native];
    if (value !== undefined && value !== null) metadata[ours] = value;
  }
  if (wire.effort?.level) metadata.effort = wire.effort.level;
  // Other events have a field of this name that their type knows; here it says who typed the prompt.
  if (name === 'UserPromptSubmit' && wire.source) metadata.promptSource = wire.source;
  const server = wire.mcp_server;
  if (typeof server === 'object' && server !== null && 'source' in server) metadata.mcpSource = server.source;
  for (const [variable, ours] of VARIABLES) {
    if (env[variable]) metadata[ours] = env[variable];
  }
  // "0" is a run that nobody watches: an approval would wait for ever.
  const attended = env.CLAUDE_CODE_SESSION_ATTENDED;
  if (attended) metadata.attended = attended !== '0';
  // claude-code_2-1-325_harness
  const version = /^claude-code_(\d+)-(\d+)-(\d+)/.exec(env.AI_AGENT ?? '');
  if (version) metadata.clientVersion = version.slice(1).join('.');
  return metadata;
}
