import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './addresses.ts';

describe('isPublicAddress', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '5f00::1',
    '2a00:1450::5efe:7f00:1',
    '2a00:1450::200:5efe:7f00:1',
    'localhost',
    '',
    '127.1',
  ])('closes %s', (address) => {
    expect(isPublicAddress(address, [])).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('opens %s', (address) => {
    expect(isPublicAddress(address, [])).toBe(true);
  });

  it.each([
    ['93.184.215.14', '93.184.215.14'],
    ['93.184.215.14', '::ffff:93.184.215.14'],
    ['93.184.215.14', '64:ff9b::5db8:d70e'],
    ['93.184.215.14', '2002:5db8:d70e::'],
    ['2606:4700:4700::1111', '2606:4700:4700::1111'],
    ['2606:4700:4700::1111', '2606:4700:4700:0:0:0:0:1111'],
    ['2606:4700:4700::ABCD', '2606:4700:4700::abcd'],
  ])('closes the address %s of this machine, written as %s', (own, address) => {
    expect(isPublicAddress(address, [own, '10.0.0.7', 'fe80::1'])).toBe(false);
    expect(isPublicAddress(address, ['1.1.1.1', '2606:4700:4700::1112'])).toBe(true);
  });

  it('classifies an IPv4 address equally in every notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.boolean(), (address, isOwn) => {
        const own = isOwn ? [address] : [];
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const disguises = [
          `::ffff:${address}`,
          `::FFFF:${hex}`,
          `0:0:0:0:0:ffff:${address}`,
          `64:ff9b::${address}`,
          `64:ff9b:0:0:0:0:${hex}`,
          `2002:${hex}::`,
        ];
        const answers = new Set(disguises.map((one) => isPublicAddress(one, own)));
        expect([...answers]).toEqual([isPublicAddress(address, own)]);
      }),
    );
  });
});
