import qwen from '../../../src/agents/qwen/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(qwen);
