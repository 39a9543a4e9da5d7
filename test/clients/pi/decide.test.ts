import { decides } from '../scenarios/decide.ts';
import { pi } from './client.ts';

decides(pi);
