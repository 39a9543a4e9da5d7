import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { fileIn } from './checkout.ts';

const manifestSchema = v.looseObject({ name: v.string(), version: v.string() });

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the packages in a folder of tarballs whose name passes, as npm's registry would. */
export async function serveTarballs(folder: string, serves: (name: string) => boolean): Promise<Registry> {
  const tarballs = new Map<string, Buffer>();
  const packages = new Map<string, object>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const found = tarballs.get(path) ?? packages.get(path);
    response.statusCode = found === undefined ? 404 : 200;
    response.end(found instanceof Buffer ? found : JSON.stringify(found ?? { error: 'not_found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    const manifest = v.parse(manifestSchema, JSON.parse(await fileIn(join(folder, file), 'package.json')));
    if (!serves(manifest.name)) continue;
    const content = readFileSync(join(folder, file));
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    tarballs.set(file, content);
    packages.set(manifest.name, {
      name: manifest.name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist: { tarball: `${url}${file}`, integrity } } },
    });
  }
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
