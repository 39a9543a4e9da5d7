import { remembers } from '../scenarios/memory.ts';
import { codex } from './client.ts';

remembers(codex);
