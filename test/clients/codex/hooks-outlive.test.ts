import { outlives } from '../scenarios/outlive.ts';
import { codex } from './client.ts';

outlives(codex);
