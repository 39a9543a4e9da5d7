import { decides } from '../scenarios/decide.ts';
import { cline } from './client.ts';

decides(cline);
