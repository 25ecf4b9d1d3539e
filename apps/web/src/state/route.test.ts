import { expect, test } from 'vitest';
import { addressOf, type Route, routeOf } from './route.ts';

test('an address names a session or a view, and back', () => {
  const addresses = [
    '/',
    '/?s=00000000000a',
    '/?s=00000000000a&t=r00000000001',
    '/?view=new',
    '/?view=settings',
  ];
  for (const address of addresses) expect(addressOf(routeOf(address.slice(1)))).toBe(address);
  const folder: Route = { kind: 'new', cwd: '/tmp/a b&c' };
  expect(routeOf(addressOf(folder).slice(1))).toEqual(folder);
});

test('what is no id names nothing', () => {
  expect(routeOf('?s=../../etc').kind).toBe('unknown');
  expect(routeOf('?view=javascript:alert(1)').kind).toBe('unknown');
});

test('parameters that name another bridge are not read', () => {
  expect(routeOf('?bridge=http://evil&gatewayUrl=ws://evil&ws=ws://evil')).toEqual({ kind: 'home' });
});
