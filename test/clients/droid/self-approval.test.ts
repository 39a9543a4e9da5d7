import droid from '../../../src/agents/droid/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(droid);
