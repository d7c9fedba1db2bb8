import { describe, expect, test } from '@jest/globals';
import { readAddress, readLocalAddress } from './read-address.ts';

const homeNames = { ownHome: 'localhost:8080', devHomes: ['localhost:8081'] };

describe('an address in a request', () => {
  test.each([
    ['@ana.ai-helper', '@ana.ai-helper'],
    ['@ANA.ai-Helper', '@ana.ai-helper'],
    ['ana.ai-helper@localhost:8080', '@ana.ai-helper'],
    ['@ana.ai-helper@LOCALHOST:8080', '@ana.ai-helper'],
    ['&Club@localhost:8080', '&club'],
    [' @ana\u200b\n', '@ana'],
    ['＠ana', '@ana'],
  ])('%s is %s at its home', (text, canonical) => {
    expect(readAddress(text, 'to', homeNames)).toBe(canonical);
    expect(readLocalAddress(text, 'to', homeNames)).toBe(canonical);
  });

  test.each([
    ['@Ana@other.example', 'ana@other.example', 'other.example'],
    ['ana@localhost:8081', 'ana@localhost:8081', 'localhost:8081'],
    ['ana@München.example', 'ana@xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['@ana@other。example', 'ana@other.example', 'other.example'],
  ])('%s belongs to another home', (text, canonical, home) => {
    expect(readAddress(text, 'to', homeNames)).toBe(canonical);
    expect(() => readLocalAddress(text, 'to', homeNames)).toThrow(
      expect.objectContaining({
        kind: 'not_built',
        details: { code: 'not_built', field: 'to' },
        message: expect.stringContaining(home),
      }),
    );
  });

  test.each(['robin', '', '@', 'ana@localhost:8082', 'ana@exa mple', '@robin.robin', 'ana@münchen'])(
    '%j is not an address',
    (text) => {
      for (const read of [readAddress, readLocalAddress]) {
        expect(() => read(text, 'to', homeNames)).toThrow(
          expect.objectContaining({
            kind: 'bad_request',
            details: expect.objectContaining({ code: 'bad_field', field: 'to' }),
            message: expect.stringContaining('@handle.ai-name'),
          }),
        );
      }
    },
  );
});
