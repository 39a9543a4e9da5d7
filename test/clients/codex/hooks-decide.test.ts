import { decides } from '../scenarios/decide.ts';
import { codex } from './client.ts';

decides(codex);
