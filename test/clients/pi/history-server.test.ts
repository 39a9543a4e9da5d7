import { looksThingsUp } from '../scenarios/history-server.ts';
import { pi } from './client.ts';

looksThingsUp(pi, (tool, input) => ({ tool: `mcp__hookline__${tool}`, input }));
