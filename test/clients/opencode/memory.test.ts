import { remembers } from '../scenarios/memory.ts';
import { opencode } from './client.ts';

remembers(opencode);
