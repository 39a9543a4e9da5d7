import { approvesItself } from '../scenarios/self-approval.ts';
import { claude } from './client.ts';

approvesItself(claude);
