import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OutboundError } from './outbound-error.ts';
import { ownHostsOf, readTarget } from './target.ts';

const devOrigins = ['http://localhost:3000', 'https://10.1.2.3'];
const self = ownHostsOf({ home: 'home.example.com', siteUrl: 'https://www.home.example.com' });
const check = (url: string) => readTarget(url, devOrigins, self);

describe('an allowed URL', () => {
  test.each([
    ['https://example.com/hook?a=b', 'https://example.com/hook?a=b'],
    ['HTTPS://Example.COM:443', 'https://example.com/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://_dmarc.example.com/', 'https://_dmarc.example.com/'],
  ])('%s is %s', (given, called) => {
    expect(check(given)).toMatchObject({ exempt: false, url: { href: called } });
  });

  test('of a homograph names another host, and shows its ASCII form', () => {
    expect(check('https://exаmple.com/').url.hostname).toBe('xn--exmple-4nf.com');
  });

  test('may have any exact origin of development', () => {
    expect(check('http://localhost:3000/hook')).toMatchObject({ exempt: true });
    expect(check('https://10.1.2.3/')).toMatchObject({ exempt: true });
  });
});

describe('a refused URL', () => {
  test.each([
    ['no address', ''],
    ['no address', 'example.com'],
    ['no address', 'https://'],
    ['https://', 'http://example.com/'],
    ['https://', 'ftp://example.com/'],
    ['https://', 'file:///etc/passwd'],
    ['https://', 'http://localhost:3001/'],
    ['https://', 'http://localhost.:3000/'],
    ['user name', 'https://example.com@10.0.0.1/'],
    ['user name', 'https://:secret@example.com/'],
    ['user name', 'http://user@localhost:3000/'],
    ['not a public host', 'https://localhost/'],
    ['not a public host', 'https://LOCALHOST/'],
    ['not a public host', 'https://ｌｏｃａｌｈｏｓｔ/'],
    ['not a public host', 'https://app.localhost/'],
    ['not a public host', 'https://identity/'],
    ['not a public host', 'https://identity.hearth.svc/'],
    ['not a public host', 'https://identity.hearth.svc.cluster.local/'],
    ['not a public host', 'https://metadata.google.internal/'],
    ['not a public host', 'https://printer.home.arpa/'],
    ['not a public host', 'https://home.arpa/'],
    ['not a public host', 'https://fritz.box/'],
    ['not a public host', 'https://nas.fritz.box/'],
    ['this home itself', 'https://HOME.example.com/v0'],
    ['this home itself', 'https://www.home.example.com:8443/'],
    ['no DNS name', 'https://example.com./'],
    ['no DNS name', 'https://a..example.com/'],
    ['no DNS name', 'https://ex!ample.com/'],
    ['no DNS name', `https://${'a'.repeat(64)}.com/`],
    ['not a public address', 'https://127.0.0.1/'],
    ['not a public address', 'https://127.1/'],
    ['not a public address', 'https://2130706433/'],
    ['not a public address', 'https://0x7f.0.0.1/'],
    ['not a public address', 'https://0177.0.0.1/'],
    ['not a public address', 'https://127.0.0.1./'],
    ['not a public address', 'https://①②⑦.⓪.⓪.①/'],
    ['not a public address', 'https://127。0。0。1/'],
    ['not a public address', 'https://169.254.169.254/latest/meta-data'],
    ['not a public address', 'https://[::1]/'],
    ['not a public address', 'https://[::ffff:10.0.0.1]/'],
    ['not a public address', 'https://[64:ff9b::7f00:1]/'],
    ['not a public address', 'https://10.1.2.3:8443/'],
    ['port 25', 'https://example.com:25/'],
    ['port 80', 'https://example.com:80/'],
    ...[2375, 6379, 6443, 9200, 10_250].map(
      (port) => [`port ${port}`, `https://example.com:${port}/`] as const,
    ),
    ['longer than', `https://example.com/${'a'.repeat(2_048)}`],
  ])('%s: %s', (words, url) => {
    expect(() => check(url)).toThrow(
      expect.objectContaining({
        category: 'refused_address',
        kind: 'bad_request',
        message: expect.stringContaining(words),
      }),
    );
  });

  test('is refused with a message, whatever it contains', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.string().map((host) => `https://${host}/`),
    );
    fc.assert(
      fc.property(text, (url) => {
        try {
          const target = check(url);
          expect(target.url.protocol).toBe('https:');
          expect(target.url.hostname).toMatch(/\./);
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
