import codex from '../../../src/agents/codex/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(codex);
