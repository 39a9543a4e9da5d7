import { approvesItself } from '../scenarios/self-approval.ts';
import { droid } from './client.ts';

approvesItself(droid);
