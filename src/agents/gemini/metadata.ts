import { isObject } from '../loose-json.ts';

/** Events that a subagent fires too, and whose payload looks the same then (0.61.0). */
const ALSO_IN_SUBAGENTS: ReadonlySet<string> = new Set([
  'BeforeModel',
  'BeforeToolSelection',
  'AfterModel',
  'BeforeTool',
  'AfterTool',
  'PreCompress',
]);

/** What else is worth knowing of a call: flat, in our own names, without what is absent. */
export function metadataOf(
  name: string,
  wire: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  if (ALSO_IN_SUBAGENTS.has(name)) {
    // This tool is the end of a subagent's work and exists nowhere else. Of any other event nobody can tell.
    if (wire.tool_name === 'complete_task') metadata.insideSubagent = true;
    else metadata.agentUnknown = true;
  }
  if (typeof wire.original_request_name === 'string') metadata.originalTool = wire.original_request_name;
  // Fires before every model request, just in case: a compaction hardly ever follows.
  if (name === 'PreCompress' && wire.trigger !== 'manual') metadata.advisory = true;
  // Text streamed in several pieces comes with pieces repeated; the transcript has it right.
  if (name === 'AfterAgent' && typeof wire.prompt_response === 'string') metadata.messageMayRepeat = true;
  if (name === 'Notification' && isObject(wire.details) && typeof wire.details.type === 'string')
    metadata.confirmation = wire.details.type;
  if (env.GEMINI_PROJECT_DIR) metadata.projectDir = env.GEMINI_PROJECT_DIR;
  if (env.GEMINI_PLANS_DIR) metadata.plansDir = env.GEMINI_PLANS_DIR;
  return metadata;
}
