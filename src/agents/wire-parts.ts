import * as v from 'valibot';
import { isObject } from './loose-json.ts';

// Kept by reference: a copy made by the schema would lose keys that are named like parts of a prototype.
export const anyObject = v.custom<Record<string, unknown>>(isObject, 'Expected an object');

export const text = v.nullish(v.string());

/** A word from an open set, which nothing depends on. */
export const named = v.nullish(v.string(), 'unknown');
