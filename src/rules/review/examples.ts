import { join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import { EVENT_TYPES, type EventType, type HookEvent } from '../../model/events.ts';
import { entryOf } from '../../model/lookup.ts';
import { type FileOperation, type ReadingTool, type ToolCall, toolKind } from '../../model/tools.ts';
import { createFacts, type Facts, type World } from '../facts.ts';
import type { Rule } from '../rule.ts';
import { createSessionMemory } from '../session/memory.ts';
import { createTimedMatcher } from '../timed-matcher.ts';
import { cleanTree, isAtOrBelow } from '../world/uncommitted.ts';
import { exampleBase } from './example-event.ts';

/** An example in a rule: a command line, or a call in more words. */
const example = v.union([
  v.string(),
  v.strictObject({
    on: v.optional(v.picklist(EVENT_TYPES)),
    agent: v.optional(v.string()),
    tool: v.optional(v.string()),
    input: v.optional(v.record(v.string(), v.unknown())),
    command: v.optional(v.string()),
    path: v.optional(v.string()),
    op: v.optional(v.picklist(['read', 'create', 'write', 'edit', 'delete', 'move'])),
    mcp: v.optional(v.string()),
    prompt: v.optional(v.string()),
    output: v.optional(v.string()),
    cwd: v.optional(v.string()),
    unsandboxed: v.optional(v.boolean()),
    branch: v.optional(v.string()),
    tree: v.optional(v.picklist(['clean', 'dirty'])),
    untested: v.optional(v.boolean()),
    denied: v.optional(v.number()),
    denials: v.optional(v.number()),
    conflict: v.optional(v.boolean()),
    exists: v.optional(v.array(v.string())),
  }),
]);
type Example = v.InferOutput<typeof example>;
type Call = Exclude<Example, string>;

interface FailedExample {
  readonly rule: Rule;
  readonly example: string;
  /** The expected result. */
  readonly wanted: 'match' | 'pass';
  readonly problem: string | null;
}

/** Every failing example of a rule. */
export function failedExamples(rule: Rule): FailedExample[] {
  return failedWithin(rule, Number.POSITIVE_INFINITY);
}

/**
 * The same for an untrusted rule, which may never end. Examples beyond the time limit are skipped, and the last entry
 * says so.
 */
export function failedWithin(rule: Rule, timeMs: number): FailedExample[] {
  const until = performance.now() + timeMs;
  const isMet = createTimedMatcher();
  const check = (given: unknown, wanted: 'match' | 'pass'): FailedExample[] => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const parsed = v.safeParse(example, given);
    if (!parsed.success) return [{ rule, example: text, wanted, problem: parsed.issues[0].message }];
    try {
      const call = typeof parsed.output === 'string' ? { command: parsed.output } : parsed.output;
      const matched = matches(rule, call, isMet);
      return matched === (wanted === 'match') ? [] : [{ rule, example: text, wanted, problem: null }];
    } catch (error) {
      return [{ rule, example: text, wanted, problem: messageOf(error) }];
    }
  };
  const failed: FailedExample[] = [];
  for (const wanted of ['match', 'pass'] as const)
    for (const one of rule.examples()[wanted]) {
      failed.push(...check(one, wanted));
      if (performance.now() > until)
        return [...failed, { rule, example: 'all others', wanted, problem: 'not tested in time' }];
    }
  return failed;
}

const FOLDER = { below: false, path: ['path'], others: [] } as const;

/** The tools used in examples; each agent has its own. */
export const READING_TOOLS: Readonly<Record<string, ReadingTool>> = {
  Read: { at: 'contents', below: false, path: ['file_path'], pattern: [], others: ['offset', 'limit'] },
  Grep: { at: 'contents', below: true, path: ['path'], pattern: ['glob'], others: ['pattern', '-n'] },
  Glob: { at: 'names', pattern: ['pattern'], ...FOLDER },
  Ls: { at: 'names', pattern: [], ...FOLDER },
};

/**
 * The event that an example stands for, and the machine it happens on; null where it is not an example.
 * @internal for tests
 */
export function exampleCall(rule: Rule, given: unknown): { event: HookEvent; world: World } | null {
  const parsed = v.safeParse(example, given);
  if (!parsed.success) return null;
  const call = typeof parsed.output === 'string' ? { command: parsed.output } : parsed.output;
  return { event: eventOf(rule, call), world: worldOf(call) };
}

const HOME = '/home/dev';
const PROJECT = '/home/dev/project';

/** The facts of a valid example. @internal for tests */
export function exampleFacts(rule: Rule, given: unknown): Facts {
  const parsed = v.parse(example, given);
  return factsOf(rule, typeof parsed === 'string' ? { command: parsed } : parsed);
}

function factsOf(rule: Rule, call: Call): Facts {
  const memory = createSessionMemory();
  return createFacts(eventOf(rule, call), worldOf(call), {
    ...memory,
    changedSinceTest: () => call.untested ?? false,
    refusals: (of) => (of === 'call' ? call.denied : call.denials) ?? 0,
    writers: { ...memory.writers, isElsewhere: () => call.conflict ?? false },
  });
}

function matches(rule: Rule, call: Call, isMet: ReturnType<typeof createTimedMatcher>): boolean {
  const facts = factsOf(rule, call);
  return (rule.on.has(facts.event.type) || rule.tellsOn.has(facts.event.type)) && isMet(rule, facts);
}

/** Examples run on a machine that is the same everywhere. */
function worldOf(call: Call): World {
  return {
    hookScripts: () => ['/home/dev/project/.agent/hooks/guard.sh'],
    home: HOME,
    now: () => 0,
    real: (path) => path,
    branchOf: () => call.branch ?? 'main',
    treeOf: () => call.tree ?? 'clean',
    treeRoot: (folder) => (isAtOrBelow(PROJECT)(folder) ? PROJECT : null),
    uncommittedIn: (root) => (call.tree === 'clean' ? cleanTree(root, call.exists ?? []) : null),
    exists: (path) => call.exists?.some((name) => path === join(PROJECT, name)) ?? false,
    runOptions: () => ({}),
    readingTools: () => READING_TOOLS,
    unlocked: () => false,
  };
}

function eventOf(rule: Rule, call: Call): HookEvent {
  const base = exampleBase({
    source: call.agent ?? 'example',
    cwd: call.cwd ?? PROJECT,
    projectId: PROJECT,
  });
  const turn = { stopHookActive: false, lastAssistantMessage: null, backgroundTasks: [] };
  switch (call.on ?? defaultType(rule, call)) {
    case 'before_agent':
      return { ...base, type: 'before_agent', prompt: call.prompt ?? '', title: null };
    case 'stop':
      return { ...base, type: 'stop', ...turn };
    case 'after_agent':
      return { ...base, type: 'after_agent', prompt: null, ...turn };
    case 'after_tool': {
      const result = { response: call.output ?? '', error: null, outcome: 'ok' as const, durationMs: null };
      return { ...base, type: 'after_tool', tool: { ...toolOf(call), ...result } };
    }
    case 'permission_request':
      return { ...base, type: 'permission_request', tool: toolOf(call), suggestions: [] };
    default:
      return { ...base, type: 'before_tool', tool: toolOf(call) };
  }
}

function defaultType(rule: Rule, call: Call): EventType {
  if (call.output !== undefined) return 'after_tool';
  if (call.prompt !== undefined) return 'before_agent';
  return rule.on.has('before_tool') ? 'before_tool' : ([...rule.on][0] ?? 'before_tool');
}

const FILE_TOOLS: Readonly<Record<string, FileOperation['op']>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
};

function toolOf(call: Call): ToolCall {
  const [server, tool] = call.mcp?.split('/') ?? [];
  const mcp = server !== undefined && tool !== undefined ? { server, tool } : null;
  const name = mcp
    ? `mcp__${mcp.server}__${mcp.tool}`
    : (call.tool ?? (call.path === undefined ? 'Bash' : 'Write'));
  const op = call.op ?? entryOf(FILE_TOOLS, name) ?? 'write';
  // Only a shell tool's text is certainly a command line.
  const isLine = mcp === null && typeof call.input?.command === 'string';
  const command = call.command ?? (isLine ? String(call.input?.command) : null);
  return {
    name,
    nativeName: name,
    kind: toolKind(name, mcp),
    input: call.input ?? (command === null ? {} : { command }),
    useId: null,
    mcp,
    command,
    ...(call.unsandboxed === true && { unsandboxed: true }),
    files: call.path === undefined ? [] : [{ op, path: call.path.replace(/^~(?=\/)/, HOME) }],
  };
}
