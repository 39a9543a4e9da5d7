import { remembers } from '../scenarios/memory.ts';
import { copilot } from './client.ts';

remembers(copilot);
