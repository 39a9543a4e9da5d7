import claude from '../../../src/agents/claude/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(claude);
