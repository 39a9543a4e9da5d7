import grok from '../../../src/agents/grok/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(grok);
