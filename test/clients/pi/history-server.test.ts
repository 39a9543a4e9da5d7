import pi from '../../../src/agents/pi/client.ts';
import { looksThingsUp } from '../scenarios/history-server.ts';

looksThingsUp(pi, (tool, input) => ({ tool: `mcp__hookline__${tool}`, input }));
