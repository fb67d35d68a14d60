import { expect, it } from 'vitest';
import { networkOf } from './rate-limit.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1:2:3:4:5', 'fe80:0:0:1::/64'],
  // An IPv4 address mapped to IPv6.
  ['::ffff:203.0.113.7', '203.0.113.7'],
])('counts tries from %s under the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
