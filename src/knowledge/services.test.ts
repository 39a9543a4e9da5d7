import { expect, test } from 'vitest';
import { parseServices } from './services.ts';

test('finds a service by its names', () => {
  const [shop] = parseServices('shop: { keeps: data, servers: shop till, pages: [the shop] }');
  expect(shop).toMatchObject({ system: 'shop', servers: ['shop', 'till'], pages: ['the shop'], images: [] });
});

test.each([
  ['a name of two services', 'a: { keeps: data, servers: x }\nb: { keeps: keys, servers: x }', 'twice'],
  ['a name that would be a pattern', 'a: { keeps: data, servers: x.* }', 'services.yaml, a.servers.0'],
  ['an unknown kind of content', 'a: { keeps: peace }', 'services.yaml, a.keeps'],
])('%s is refused', (_, yaml, message) => {
  expect(() => parseServices(yaml)).toThrow(message);
});
