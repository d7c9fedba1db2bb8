import { english, t } from '@hearth/i18n';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { attributes, html, type Piece } from './html.ts';

/** As browsers decode it. */
const decode = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'<>&"\'`=/ -!&#;x'), maxLength: 40 }),
  fc.constantFrom(
    '</p><script>alert(1)</script>',
    '" onfocus="alert(1)" autofocus="',
    '<!--',
    '&lt;',
    '&#60;',
  ),
);

describe('a value in a hole', () => {
  test('is text: it ends neither an element nor an attribute, and is decoded unchanged', () => {
    fc.assert(
      fc.property(anyText, anyText, (inText, inQuotes) => {
        const written = String(html`<p title="${inQuotes}">${inText}</p>`);
        const [, title = '', text = ''] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(written)!;
        expect(decode(title)).toBe(inQuotes);
        expect(decode(text)).toBe(inText);
      }),
    );
  });

  test('in an attribute by name, too', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const [, written = ''] = /^<p title="([^"<>]*)" hidden>$/.exec(
          String(html`<p ${attributes({ title: value, lang: undefined, hidden: true, id: false })}>`),
        )!;
        expect(decode(written)).toBe(value);
      }),
    );
  });

  test('stays markup when a template made it, in lists as well', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(String(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>&#60;b&#62;</li></ul>');
  });

  test('is left out for null, undefined and false, and shown for 0 and the empty text', () => {
    expect(String(html`[${null}${undefined}${false}${0}${''}]`)).toBe('[0]');
  });

  test('is not treated as markup because it looks like it', () => {
    const pretender = { toString: () => '<script>' } as unknown as Piece;
    expect(() => html`${pretender}`).toThrow('a object cannot be shown on a page');
    expect(() => html`${true as unknown as Piece}`).toThrow('a boolean cannot be shown on a page');
  });
});

describe('a text of a catalogue', () => {
  const named = t('rules.from-preset', { preset: '<b>' });

  test("is in its reader's language, escaped, between tags and in quotes", () => {
    const words = 'You started from “&#60;b&#62;”.';
    expect(html`<p title="${named}">${named}</p>`.in(english)).toBe(`<p title="${words}">${words}</p>`);
    expect(html`<p ${attributes({ title: named })}></p>`.in(english)).toBe(`<p title="${words}"></p>`);
  });

  test('can have our markup as a value, except in an attribute', () => {
    const bold = t('rules.from-preset', { preset: html`<b>x</b>` });
    expect(html`${bold}`.in(english)).toBe('You started from “<b>x</b>”.');
    expect(() => html`<p title="${bold}"></p>`.in(english)).toThrow('does not belong into the value');
  });

  test('is not a string before its language is known', () => {
    expect(() => String(html`<p>${named}</p>`)).toThrow('no words before its language is known');
  });
});

describe('a template that could be broken out of is refused', () => {
  test.each([
    ['without quotes', () => html`<p title=${'a'}>`, 'the value of an attribute must be in double quotes'],
    ['in single quotes', () => html`<p title='${'a'}'>`, 'attributes take double quotes'],
    ['as the name of a tag', () => html`<${'script'}>`, 'the value of an attribute must be in double quotes'],
    [
      'markup in quotes',
      () => html`<p title="${html`<b>`}">`,
      'markup does not belong into the value of an attribute',
    ],
    [
      'a name of an attribute',
      () => attributes({ 'a onclick': 'x' }),
      "'a onclick' is not the name of an attribute",
    ],
  ])('%s', (_, make, words) => expect(make).toThrow(words));

  test('a > in quotes ends nothing', () => {
    expect(String(html`<p title=">" lang="${'"'}">${'<'}</p>`)).toBe('<p title=">" lang="&#34;">&#60;</p>');
  });
});
