import { looksThingsUp } from '../scenarios/history-server.ts';
import { gemini } from './client.ts';

looksThingsUp(gemini, (tool, input) => ({ tool: `mcp_hookline_${tool}`, input }));
