import { remembers } from '../scenarios/memory.ts';
import { gemini } from './client.ts';

remembers(gemini);
