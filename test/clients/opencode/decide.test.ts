import { decides } from '../scenarios/decide.ts';
import { opencode } from './client.ts';

decides(opencode);
