import { remembers } from '../scenarios/memory.ts';
import { claude } from './client.ts';

remembers(claude);
