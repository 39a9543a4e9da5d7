import claude from '../../../src/agents/claude/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(claude);
