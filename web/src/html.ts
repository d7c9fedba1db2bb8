import { type Language, type Tag, Text } from '@hearth/i18n';

/** Finished markup, or a text that waits for its reader's language. */
type Chunk = string | { text: Text; place: HolePlace };

/** Markup made by this module; every text in it is escaped. */
class Markup {
  readonly chunks: readonly Chunk[];

  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks;
  }

  /** The markup in that language. */
  in(language: Language): string {
    const write = (chunk: Chunk): string =>
      typeof chunk === 'string'
        ? chunk
        : written(chunk.text.parts(language) as Piece, chunk.place)
            .map(write)
            .join('');
    return this.chunks.map(write).join('');
  }

  /** Throws if the markup contains catalogue texts. */
  toString(): string {
    return this.chunks.map((chunk) => String(typeof chunk === 'string' ? chunk : chunk.text)).join('');
  }
}

export type Html = Markup;

/** Text without markup: a catalogue message, or others' text in `verbatim`. */
export type Words = Text;

/** A value for a template's hole; null, undefined and false write nothing. */
export type Piece = Markup | Text | string | number | false | null | undefined | readonly Piece[];

/**
 * Wraps the content of a message's tag in markup: `{ link: around((inside) => html\`<a
 * href="…">${inside}</a>\`) }`.
 */
export const around =
  (write: (inside: readonly Piece[]) => Html): Tag =>
  (inside) =>
    write(inside as readonly Piece[]);

/** For `<strong>` in a message. */
export const strong = around((inside) => html`<strong>${inside}</strong>`);

/** For `<unseen>` in a message: text only for screen readers. */
export const unseen = around((inside) => html`<span class="unseen">${inside}</span>`);

/** Where a hole is: between tags, inside a tag, or inside an attribute's quotes. */
type HolePlace = 'text' | 'tag' | 'quotes';

const placesOf = new WeakMap<TemplateStringsArray, readonly HolePlace[]>();

/**
 * An HTML template. Escapes the values of its holes, unless they are markup of such templates. A hole inside
 * a tag takes only markup (an attribute with its quotes); a hole in quotes takes only text. Throws if a
 * template or its values break these rules: that is a mistake in the page, never in its data.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let places = placesOf.get(strings);
  if (places === undefined) {
    places = findPlaces(strings);
    placesOf.set(strings, places);
  }
  const chunks: Chunk[] = [strings[0]!];
  for (const [index, value] of values.entries())
    chunks.push(...written(value, places[index]!), strings[index + 1]!);
  return new Markup(joined(chunks));
}

/** Merges adjacent finished chunks. */
function joined(chunks: readonly Chunk[]): Chunk[] {
  const after: Chunk[] = [];
  for (const chunk of chunks) {
    const last = after.length - 1;
    const before = after[last];
    if (typeof chunk === 'string' && typeof before === 'string') after[last] = before + chunk;
    else after.push(chunk);
  }
  return after;
}

/** Attributes by name, for a hole inside a tag: true writes only the name; null, undefined and false write nothing. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Html {
  const chunks = Object.entries(values).flatMap(([name, value]): Chunk[] => {
    if (!/^[a-z-]+$/.test(name)) throw new TypeError(`'${name}' is not the name of an attribute`);
    if (value === null || value === undefined || value === false) return [];
    return value === true ? [` ${name}`] : [` ${name}="`, ...written(value, 'quotes'), '"'];
  });
  const [first = '', ...rest] = joined(chunks);
  return new Markup([typeof first === 'string' ? first.trimStart() : first, ...rest]);
}

export type AttributeValue = Text | string | number | boolean | null | undefined;

function written(value: Piece, place: HolePlace): Chunk[] {
  if (value === null || value === undefined || value === false) return [];
  if (value instanceof Markup) {
    if (place === 'quotes') throw new TypeError('markup does not belong into the value of an attribute');
    return [...value.chunks];
  }
  if (place === 'tag') throw new TypeError('the value of an attribute must be in double quotes');
  if (value instanceof Text) return [{ text: value, place }];
  if (typeof value === 'string') return [escapeText(value)];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((piece) => written(piece, place));
  throw new TypeError(`a ${typeof value} cannot be shown on a page`);
}

function escapeText(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Finds the place of each hole by scanning the template's fixed parts. */
function findPlaces(strings: readonly string[]): HolePlace[] {
  let place: HolePlace = 'text';
  return strings.map((part) => {
    for (const character of part) place = next(place, character);
    return place;
  });
}

function next(place: HolePlace, character: string): HolePlace {
  if (place === 'text') return character === '<' ? 'tag' : 'text';
  if (place === 'quotes') return character === '"' ? 'tag' : 'quotes';
  if (character === "'") throw new TypeError('attributes take double quotes');
  if (character === '"') return 'quotes';
  return character === '>' ? 'text' : 'tag';
}
