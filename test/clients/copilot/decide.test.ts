import { decides } from '../scenarios/decide.ts';
import { copilot } from './client.ts';

decides(copilot);
