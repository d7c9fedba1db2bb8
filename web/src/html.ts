/** Markup that this module made: every text in it is escaped. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;

/** A value for a hole of a template; nothing is written for null, undefined and false. */
export type Piece = Markup | string | number | false | null | undefined | readonly Piece[];

/** Where in the markup a hole is: between tags, inside a tag, or inside the quotes of an attribute. */
type Place = 'text' | 'tag' | 'quotes';

const placesOf = new WeakMap<TemplateStringsArray, readonly Place[]>();

/**
 * A template of HTML. The values of its holes are escaped, unless they are markup of such a template themselves. A hole
 * inside of a tag is for markup alone (an attribute with its quotes); a hole in quotes is for text alone.
 * Throws when a template or its values do not keep to this: that is a mistake in the page, never in its data.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let places = placesOf.get(strings);
  if (places === undefined) {
    places = findPlaces(strings);
    placesOf.set(strings, places);
  }
  let text = strings[0]!;
  for (const [index, value] of values.entries()) text += write(value, places[index]!) + strings[index + 1];
  return new Markup(text);
}

/**
 * Attributes by name, for a hole inside of a tag: true stands without a value; null, undefined and false are not
 * written.
 */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Html {
  const written = Object.entries(values).map(([name, value]) => {
    if (!/^[a-z-]+$/.test(name)) throw new TypeError(`'${name}' is not the name of an attribute`);
    if (value === null || value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`;
  });
  return new Markup(written.join('').trimStart());
}

export type AttributeValue = string | number | boolean | null | undefined;

function write(value: Piece, place: Place): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) {
    if (place === 'quotes') throw new TypeError('markup does not belong into the value of an attribute');
    return value.toString();
  }
  if (place === 'tag') throw new TypeError('the value of an attribute must be in double quotes');
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((piece) => write(piece, place)).join('');
  throw new TypeError(`a ${typeof value} cannot be shown on a page`);
}

function escapeText(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The place of each hole, by reading the fixed parts of the template. */
function findPlaces(strings: readonly string[]): Place[] {
  let place: Place = 'text';
  return strings.map((part) => {
    for (const character of part) place = next(place, character);
    return place;
  });
}

function next(place: Place, character: string): Place {
  if (place === 'text') return character === '<' ? 'tag' : 'text';
  if (place === 'quotes') return character === '"' ? 'tag' : 'quotes';
  if (character === "'") throw new TypeError('attributes take double quotes');
  if (character === '"') return 'quotes';
  return character === '>' ? 'text' : 'tag';
}
