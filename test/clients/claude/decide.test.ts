import { decides } from '../scenarios/decide.ts';
import { claude } from './client.ts';

decides(claude);
