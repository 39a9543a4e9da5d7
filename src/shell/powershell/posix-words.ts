import { type Bound, isOn, valuesOf } from './parameters.ts';

/**
 * Words of the same line for a program with the alias's name, so that rules about `rm` apply in every shell. Null for
 * other names.
 */
export function posixWords(name: string, bound: Bound): readonly string[] | null {
  const paths = [...valuesOf(bound, 'path', 'literalpath', 'filepath'), ...bound.rest];
  switch (name) {
    case 'rm':
    case 'rmdir':
      return ['rm', ...option(bound, 'recurse', '-r'), ...option(bound, 'force', '-f'), ...paths];
    case 'cp':
      return ['cp', ...option(bound, 'recurse', '-r'), ...paths, ...valuesOf(bound, 'destination')];
    case 'mv':
      return ['mv', ...paths, ...valuesOf(bound, 'destination')];
    case 'cat':
      return ['cat', ...paths];
    case 'curl':
    case 'wget':
      return ['curl', ...web(bound), ...valuesOf(bound, 'uri'), ...bound.rest];
    default:
      return null;
  }
}

const option = (bound: Bound, name: string, written: string): readonly string[] =>
  isOn(bound, name) ? [written] : [];

function web(bound: Bound): readonly string[] {
  const options: readonly (readonly [string, string])[] = [
    ['outfile', '-o'],
    ['method', '-X'],
    ['body', '-d'],
    ['infile', '-T'],
    ['headers', '-H'],
  ];
  return options.flatMap(([name, written]) => valuesOf(bound, name).flatMap((value) => [written, value]));
}
