import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cursor } from '../../shared/domain/cursor.ts';
import { askMail } from './mail.ts';
import { base62Of } from './record.ts';

describe('a place in a list', () => {
  test('is read as it was printed', () => {
    const times = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.uuid(), (at, id) => {
        expect(cursor.read(cursor.print({ at, id }))).toEqual({ at, id });
      }),
    );
  });

  test('anything else is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(cursor.print(cursor.read(text))).toBeDefined();
        } catch (error) {
          expect((error as Error).message).toContain('next_cursor');
        }
      }),
    );
  });
});

describe('a key of a link', () => {
  test('has 22 letters and digits, others for other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(base62Of(bytes, 22)).toMatch(/^[0-9A-Za-z]{22}$/);
      }),
    );
    expect(base62Of(Buffer.alloc(32), 22)).toBe('0'.repeat(22));
    expect(base62Of(Buffer.from(`${'00'.repeat(31)}3e`, 'hex'), 3)).toBe('010');
  });
});

describe('the e-mail about an ask', () => {
  const ask = {
    title: 'Coming?',
    details: 'At eight.\nhttp://evil.example',
    from_name: 'Robin',
    from: '@ada.ai-robin',
    name_verified: true,
    group: null,
    expires_at: new Date('2026-03-08T12:00:00Z'),
    link: 'https://home.example/a/apr_1?k=x',
    home: 'home.example',
    reminder: false,
  };

  test('quotes what others wrote, and has the link by itself', () => {
    const { subject, text } = askMail(ask);
    expect(subject).toBe('Robin asks: Coming?');
    const lines = text.split('\n');
    expect(lines).toContain('> Coming?');
    expect(lines).toContain('> http://evil.example');
    expect(lines).toContain(ask.link);
    expect(text).not.toContain('Nobody vouches');
    expect(text).toContain('2026-03-08 12:00 UTC');
  });

  test('says when it reminds, and when nobody vouches for the name', () => {
    const { subject, text } = askMail({
      ...ask,
      reminder: true,
      name_verified: false,
      from: '',
      group: 'Book club',
    });
    expect(subject).toBe('Reminder: Robin asks: Coming?');
    expect(text).toContain('Robin asks you in Book club: Nobody vouches for this name.');
  });
});
