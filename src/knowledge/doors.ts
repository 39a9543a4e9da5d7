import * as v from 'valibot';
import { words } from './word-lists.ts';

/** Other ways than a command line on which the same is asked of a program. */
export const doors = v.strictObject({
  mcp: v.strictObject({
    /** Words in the names of servers and tools that mean this program. */
    servers: words,
    /** A tool that has one of these words in its name is named after what the program does: `git_push`. */
    tools: v.optional(v.literal('by-name')),
    /** What tools of a server may be named after, though their own names do not say which program: `apply`. */
    verbs: v.optional(words),
    /** The option whose value is the code that a tool is given; it takes nothing else. */
    script: v.optional(v.string()),
    /** The argument that says what kind of resource a tool is about, where the server calls everything one. */
    resources: v.optional(v.string()),
  }),
});
export type Doors = v.InferOutput<typeof doors>;
