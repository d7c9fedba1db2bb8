import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashCode, linkOf, readInviteReference } from './invite-code.ts';

const siteUrl = 'https://hearth.example';
const code = 'aZ09aZ09aZ09aZ09aZ09aZ';
const id = `inv_${'0a'.repeat(16)}`;

describe('a code, link or id as typed', () => {
  test.each([
    code,
    ` ${code}\n`,
    `https://hearth.example/i/${code}`,
    `https://hearth.example/i/${code}/`,
    `https://hearth.example/i/${code}?from=chat#x`,
    `HTTPS://Hearth.Example/i/${code}`,
    `hearth.example/i/${code}`,
    `https://hearth.example/i/${code.slice(0, 9)}\r\n ${code.slice(9)}`,
    `\u200b${code}\u200e`,
    code.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ])('%j is the code', (text) => {
    expect(readInviteReference(text, siteUrl)).toEqual({ code });
  });

  test.each([id, `https://hearth.example/i/${id}`])('%j is the id', (text) => {
    expect(readInviteReference(text, siteUrl)).toEqual({ id });
  });

  test.each([
    '',
    code.slice(1),
    `${code}a`,
    `${code.slice(1)}-`,
    `https://other.example/i/${code}`,
    `http://hearth.example/i/${code}`,
    `https://hearth.example:8443/i/${code}`,
    `https://hearth.example@other.example/i/${code}`,
    `https://hearth.example/i/${code}/guest`,
    `https://hearth.example/x/${code}`,
    `javascript:${code}`,
    '//',
    'inv_xyz',
    id.toUpperCase(),
  ])('%j is neither', (text) => {
    expect(readInviteReference(text, siteUrl)).toBeNull();
  });

  test('a generated link is parsed, whatever the URL of the home', () => {
    const codes = fc.stringMatching(/^[0-9A-Za-z]{22}$/);
    fc.assert(
      fc.property(codes, fc.constantFrom(siteUrl, 'http://localhost:8080'), (made, site) => {
        expect(readInviteReference(linkOf(site, made), site)).toEqual({ code: made });
      }),
    );
  });

  test('parsing never throws', () => {
    const given = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl());
    fc.assert(
      fc.property(given, (text) => {
        const read = readInviteReference(text, siteUrl);
        expect(read === null || 'code' in read || 'id' in read).toBe(true);
      }),
    );
  });
});

test('a code is stored as its SHA-256', () => {
  expect(hashCode('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
