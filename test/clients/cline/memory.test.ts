import { remembers } from '../scenarios/memory.ts';
import { cline } from './client.ts';

remembers(cline);
