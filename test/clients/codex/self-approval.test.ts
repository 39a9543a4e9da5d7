import codex from '../../../src/agents/codex/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(codex);
