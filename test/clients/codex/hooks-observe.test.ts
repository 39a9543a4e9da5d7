import { observes } from '../scenarios/observe.ts';
import { codex } from './client.ts';

observes(codex);
