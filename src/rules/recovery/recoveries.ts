/**
 * How what a call takes away can be had back: git has it, a tool makes it again, or it has come into being in this
 * session. `none` is known to be lost; `unknown` counts as lost as well.
 */
export const RECOVERIES = ['committed', 'regenerable', 'made-here', 'none', 'unknown'] as const;
export type Recovery = (typeof RECOVERIES)[number];
