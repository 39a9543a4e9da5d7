import gemini from '../../../src/agents/gemini/client.ts';
import { looksThingsUp } from '../scenarios/history-server.ts';

looksThingsUp(gemini, (tool, input) => ({ tool: `mcp_hookline_${tool}`, input }));
