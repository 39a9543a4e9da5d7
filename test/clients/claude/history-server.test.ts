import { looksThingsUp } from '../scenarios/history-server.ts';
import { claude } from './client.ts';

looksThingsUp(claude, (tool, input) => ({ tool: `mcp__hookline__${tool}`, input }));
