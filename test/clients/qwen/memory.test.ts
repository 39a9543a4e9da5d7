import { remembers } from '../scenarios/memory.ts';
import { qwen } from './client.ts';

remembers(qwen);
