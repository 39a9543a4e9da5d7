/**
 * How deleted files can be restored: git has them, a tool creates them again, or this session created them. `none` is
 * certain loss; `unknown` counts as loss.
 */
export const RECOVERIES = ['committed', 'regenerable', 'made-here', 'none', 'unknown'] as const;
export type Recovery = (typeof RECOVERIES)[number];
