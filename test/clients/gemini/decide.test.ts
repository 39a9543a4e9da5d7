import { decides } from '../scenarios/decide.ts';
import { gemini } from './client.ts';

decides(gemini);
