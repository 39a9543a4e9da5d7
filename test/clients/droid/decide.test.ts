import { decides } from '../scenarios/decide.ts';
import { droid } from './client.ts';

decides(droid);
