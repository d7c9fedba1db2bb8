import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { networkKey, widerNetworks } from './network-key.ts';

const octet = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff });

function ipv6(groups: readonly number[]): string {
  return groups.map((value) => value.toString(16)).join(':');
}

describe('the network of an address', () => {
  test.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['0.0.0.0', '0.0.0.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['::FFFF:192.0.2.77', '192.0.2.0/24'],
    ['::ffff:c000:24d', '192.0.2.0/24'],
    ['0:0:0:0:0:ffff:c000:24d', '192.0.2.0/24'],
    ['2001:db8:1:22ff::1', '2001:db8:1:2200::/56'],
    ['2001:0DB8:0001:2201:a:b:c:d', '2001:db8:1:2200::/56'],
    ['2001:db8::1', '2001:db8:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56'],
    ['64:ff9b::192.0.2.77', '64:ff9b:0:0::/56'],
  ])('%s is %s', (address, network) => {
    expect(networkKey(address)).toBe(network);
  });

  test.each([
    '',
    'unknown',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1, 198.51.100.1',
    '2001:db8',
    '::ffff:1.2.3',
    'a'.repeat(100),
  ])('is shared by everything that is not an address: %j', (address) => {
    expect(networkKey(address)).toBe('unknown');
  });

  test('of IPv4 is equal exactly for addresses with the same first three bytes, mapped or not', () => {
    fc.assert(
      fc.property(
        fc.tuple(octet, octet, octet, octet),
        fc.tuple(octet, octet, octet, octet),
        fc.boolean(),
        (a, b, near) => {
          const other = near ? ([...a.slice(0, 3), b[3]] as const) : b;
          const same = a.slice(0, 3).join() === other.slice(0, 3).join();
          expect(networkKey(a.join('.')) === networkKey(`::ffff:${other.join('.')}`)).toBe(same);
        },
      ),
    );
  });

  test('of IPv6 is equal exactly for addresses with the same first 56 bits', () => {
    const address = fc.tuple(
      fc.integer({ min: 0x2000, max: 0x3fff }),
      group,
      group,
      group,
      group,
      group,
      group,
      group,
    );
    fc.assert(
      fc.property(address, address, fc.boolean(), (a, b, near) => {
        const other = near ? [...a.slice(0, 3), (a[3] & 0xff00) | (b[3] & 0xff), ...b.slice(4)] : b;
        const prefix = (groups: readonly number[]) => [...groups.slice(0, 3), groups[3]! >> 8].join();
        const same = prefix(a) === prefix(other);
        expect(networkKey(ipv6(a)) === networkKey(ipv6(other))).toBe(same);
      }),
    );
  });

  test('of an IPv6 address does not depend on its notation', () => {
    const sparse = fc.array(fc.oneof(fc.constant(0), group), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(sparse, (groups) => {
        const long = groups.map((value) => value.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const short = new URL(`http://[${ipv6(groups)}]/`).hostname.slice(1, -1);
        expect(networkKey(long)).toBe(networkKey(short));
      }),
    );
  });
});

test.each([
  ['2001:db8:1:22ff::1', '2001:db8:1::/48', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8:0::/48', '2001:db8::/32'],
])(
  '%s is in a /48 with 8 times the bound of its /56, and in a /32 with 256 times',
  (address, site, provider) => {
    expect(widerNetworks(networkKey(address))).toEqual([
      { network: site, times: 8 },
      { network: provider, times: 256 },
    ]);
  },
);

test.each(['192.0.2.1', '::ffff:192.0.2.1', 'nonsense'])('%s has no wider network', (address) => {
  expect(widerNetworks(networkKey(address))).toEqual([]);
});
