import { approvesItself } from '../scenarios/self-approval.ts';
import { cline } from './client.ts';

approvesItself(cline);
