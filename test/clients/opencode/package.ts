import { VERSION } from '../../../src/version.ts';
import type { OwnPackage } from '../scenarios/own-package.ts';

/** `"plugin": ["hookline@…"]`, with what keeps the client from fetching its library. */
export function openCodePackage(name: string, library: string): OwnPackage {
  const config = `.config/${name}`;
  const dependencies = { [library]: '1' };
  return {
    folder: `.cache/${name}/packages/hookline@${VERSION}/node_modules/hookline`,
    settings: `${config}/${name}.json`,
    file: `${config}/plugin/hookline.js`,
    named: { plugin: [`hookline@${VERSION}`] },
    beside: {
      [`${config}/package.json`]: JSON.stringify({ dependencies }),
      [`${config}/package-lock.json`]: JSON.stringify({ packages: { '': { dependencies } } }),
      [`${config}/node_modules/.there`]: '',
    },
  };
}
