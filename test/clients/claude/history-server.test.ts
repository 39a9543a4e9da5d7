import claude from '../../../src/agents/claude/client.ts';
import { looksThingsUp } from '../scenarios/history-server.ts';

looksThingsUp(claude, (tool, input) => ({ tool: `mcp__hookline__${tool}`, input }));
