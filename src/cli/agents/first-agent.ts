import { AGENTS } from '../../agents/_registry.ts';

/** The agent that commands use if none is named. */
export const FIRST_AGENT: string = [...AGENTS.keys()][0] ?? '';
