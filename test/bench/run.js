// npm run bench [name…]: measures what the product promises. Every figure is a ratio or a rate taken in one run.
import { readdirSync } from 'node:fs';

const folder = new URL('.', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.js'))
  .map((name) => name.replace('.bench.js', ''));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  process.exit(1);
}
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n# ${name}`);
  const { run } = await import(new URL(`${name}.bench.js`, folder).href);
  await run();
}
