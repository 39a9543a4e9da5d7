import type { Program } from './program.ts';

interface Declared {
  /** The name under which it is seen, however it is written. */
  readonly name: string;
  /** Its letters, where it has a long name too. */
  readonly letters: string;
}

/** All options that a program declares. */
export function declared({ options = '', subOptions = {} }: Program): readonly Declared[] {
  const specs = [options, ...Object.values(subOptions)].join(' ').split(/\s+/);
  return specs.map((spec) => {
    const bare = spec.replace(/[=?*]$/, '');
    const comma = bare.indexOf(',');
    if (comma >= 0) return { name: `--${bare.slice(comma + 1)}`, letters: bare.slice(0, comma) };
    return { name: bare.length === 1 ? `-${bare}` : `--${bare}`, letters: '' };
  });
}
