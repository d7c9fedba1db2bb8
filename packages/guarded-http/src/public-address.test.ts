import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.ts';

/** IANA's special-purpose registries, listed independently of the library that the code uses. */
const special4 =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  168.63.129.16/32 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/);
const special6 = `2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`.split(/\s+/);

function blockList(subnets: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

const blocked4 = blockList(special4, 'ipv4');
const blocked6 = blockList(special6, 'ipv6');
const global6 = blockList(['2000::/3'], 'ipv6');

const toIpv4 = (bytes: readonly number[]) => bytes.join('.');
const toIpv6 = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':');
const byte = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 65_535 });
/** Any address and, as often, one near the border of a special network. */
const anyIpv4 = fc.oneof(
  fc.array(byte, { minLength: 4, maxLength: 4 }),
  fc
    .tuple(
      fc.constantFrom(...special4),
      fc.array(byte, { minLength: 2, maxLength: 2 }),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([subnet, last, step]) => {
      const [a = 0, b = 0] = subnet.split('.').map((part) => Number.parseInt(part, 10));
      return [a, Math.min(255, Math.max(0, b + step)), ...last];
    }),
);
const firstGroups = [
  0, 0x64, 0x100, 0x2000, 0x2001, 0x2002, 0x2620, 0x3fff, 0x4000, 0xfc00, 0xfe80, 0xfec0, 0xff02,
];
const anyIpv6 = fc
  .tuple(
    fc.oneof(group, fc.constantFrom(...firstGroups)),
    fc.array(fc.oneof(group, fc.constantFrom(0, 0x1ff, 0x200, 0xdb8, 0xff9b, 0xffff)), {
      minLength: 7,
      maxLength: 7,
    }),
  )
  .map(([first, rest]) => [first, ...rest]);

describe('a public address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '64:ff9b::808:808',
  ])('includes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '64:ff9b::a83f:8110',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%1',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ])('excludes %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '',
    'localhost',
    '1.1.1',
    '0x8.8.8.8',
    '010.8.8.8',
    '8.8.8.8 ',
    '[2606:4700::1111]',
    '134744072',
  ])('excludes malformed text: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('of IPv4 is any address outside the special-purpose registry', () => {
    fc.assert(
      fc.property(anyIpv4, (bytes) => {
        const address = toIpv4(bytes);
        expect(isPublicAddress(address)).toBe(!blocked4.check(address, 'ipv4'));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of IPv6 is any address of 2000::/3 outside the special-purpose registry', () => {
    fc.assert(
      fc.property(anyIpv6, (groups) => {
        const address = toIpv6(groups);
        fc.pre(!/^64:ff9b:0:0:0:0:/.test(address));
        const expected = global6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
        expect(isPublicAddress(address)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of IPv4 keeps its class in NAT64, and is never public in another mapping', () => {
    fc.assert(
      fc.property(anyIpv4, (bytes) => {
        const [a = 0, b = 0, c = 0, d = 0] = bytes;
        const tail = toIpv6([a * 256 + b, c * 256 + d]);
        expect(isPublicAddress(`64:ff9b::${tail}`)).toBe(isPublicAddress(toIpv4(bytes)));
        const wrapped = [
          `::ffff:${tail}`,
          `::${tail}`,
          `::ffff:0:${tail}`,
          `2002:${tail}::1`,
          `64:ff9b:1::${tail}`,
        ];
        expect(wrapped.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });
});
