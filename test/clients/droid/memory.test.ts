import { remembers } from '../scenarios/memory.ts';
import { droid } from './client.ts';

remembers(droid);
