import grok from '../../../src/agents/grok/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(grok);
