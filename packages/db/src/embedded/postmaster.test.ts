import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePostmasterFile } from './postmaster.ts';

test('reads the file of a running server', () => {
  const text = '9205\n/data/cluster\n1795219222\n55433\n\n127.0.0.1\n 10011774         4\nready   \n';
  expect(parsePostmasterFile(text)).toEqual({ pid: 9205, port: 55433, ready: true });
});

test('reads a file that the server is still writing', () => {
  expect(parsePostmasterFile('9205\n/data/cluster\n1795219222\n')).toEqual({
    pid: 9205,
    port: null,
    ready: false,
  });
  expect(parsePostmasterFile('9205\n/d\n1\n5433\n\n127.0.0.1\n 1 4\nstarting\n')).toMatchObject({
    ready: false,
  });
});

test.each(['', '\n', '-5\n', '0\n', '1\n', 'abc', '99999999999\n', ' \n9205'])(
  'finds no process in %j',
  (text) => {
    expect(parsePostmasterFile(text)).toBeNull();
  },
);

test('never returns a process id that must not be signalled', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const file = parsePostmasterFile(text);
      expect(file === null || (Number.isSafeInteger(file.pid) && file.pid > 1)).toBe(true);
    }),
  );
});
