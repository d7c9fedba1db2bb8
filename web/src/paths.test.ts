import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localPath, paths } from './paths.ts';

test.each(['/ais', '/claim/abc?x=1&y=%2F#z', '/'])('%s is a path of this home', (path) => {
  expect(localPath(path)).toBe(path);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  'https://evil.example',
  'ais',
  '',
  '/a b',
  '/\tevil',
  '/\n/evil',
])('%j is refused', (path) => expect(localPath(path)).toBeUndefined());

test('whatever is accepted as a path stays at this home', () => {
  const piece = fc.constantFrom('/', '\\', '.', '@', ':', '\t', '\n', '%2f', 'evil.example', 'a', '?', '#');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = localPath(pieces.join(''));
      if (path !== undefined)
        expect(new URL(path, 'https://hearth.example').origin).toBe('https://hearth.example');
    }),
    { numRuns: 2_000 },
  );
});

test("a path's parameter cannot leave its segment", () => {
  expect(paths.claim('../in?x')).toBe('/claim/..%2Fin%3Fx');
});
