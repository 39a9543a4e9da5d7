import copilot from '../../../src/agents/copilot/client.ts';
import { looksThingsUp } from '../scenarios/history-server.ts';

looksThingsUp(copilot, (tool, input) => ({ tool: `hookline-${tool}`, input }));
