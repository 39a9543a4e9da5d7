import codex from '../../../src/agents/codex/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(codex);
