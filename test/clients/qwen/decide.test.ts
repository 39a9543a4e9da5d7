import { decides } from '../scenarios/decide.ts';
import { qwen } from './client.ts';

decides(qwen);
