import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { readCatalogue } from './catalogues.ts';
import { type Catalogue, createLanguage, type Language } from './language.ts';

const latin = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'åƀçðéƒĝĥîĵķļḿñöþɋřšŧûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻḾÑÖÞɊŘŠŦÛṼŴẊÝŽ';
const arabic = 'ابثدهفغحيجكلمنعپقرستوڤشخىز';

/** Other languages need about a third more room than English. */
const growth = 0.35;

/** English with accents, longer, and in brackets, so that clipped texts lack a bracket. */
export const pseudo: Language = createLanguage('en-XA', pseudoCatalogue([...accented], 'ö'));

/** The same from right to left in Arabic letters, so that Latin letters on a page are no text of a catalogue. */
export const pseudoRightToLeft: Language = createLanguage(
  'ar-XB',
  pseudoCatalogue([...arabic, ...arabic], 'ـ'),
);

function pseudoCatalogue(letters: readonly string[], filler: string): Catalogue {
  const spell = (text: string) =>
    [...text].map((letter) => letters[latin.indexOf(letter)] ?? letter).join('');
  return Object.fromEntries(
    Object.entries(readCatalogue('en')).map(([key, message]) => {
      const { length } = message.replace(/[{<][^}>]*[}>]/g, '');
      const padding = filler.repeat(Math.ceil(length * growth));
      const brackets: MessageFormatElement[] = [
        { type: TYPE.literal, value: '[' },
        { type: TYPE.literal, value: ` ${padding}]` },
      ];
      return [key, printAST(brackets.toSpliced(1, 0, ...respell(parse(message), spell)))];
    }),
  );
}

/** Returns the message with its literal text in other letters. */
function respell(
  elements: readonly MessageFormatElement[],
  spell: (text: string) => string,
): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: spell(element.value) };
    if (element.type === TYPE.tag) return { ...element, children: respell(element.children, spell) };
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      const options = Object.entries(element.options).map(([name, option]) => [
        name,
        { ...option, value: respell(option.value, spell) },
      ]);
      return { ...element, options: Object.fromEntries(options) };
    }
    return element;
  });
}
