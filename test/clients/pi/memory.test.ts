import { remembers } from '../scenarios/memory.ts';
import { pi } from './client.ts';

remembers(pi);
