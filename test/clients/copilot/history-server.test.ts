import { looksThingsUp } from '../scenarios/history-server.ts';
import { copilot } from './client.ts';

looksThingsUp(copilot, (tool, input) => ({ tool: `hookline-${tool}`, input }));
