import { approvesItself } from '../scenarios/self-approval.ts';
import { codex } from './client.ts';

approvesItself(codex);
