import { HearthError, isHearthError } from '@hearth/errors';
import { isJsonObject, type JsonObject, type JsonValue, maxSignedDepth, printPath } from './profile.ts';

export interface StrictJsonLimits {
  /** The most bytes (UTF-8) accepted, else `too_large` (default 1 MiB). */
  maxBytes?: number;
  /** The deepest nesting accepted (default 32). */
  maxDepth?: number;
  /** The most values accepted: members and elements of all levels together (default: no separate limit). */
  maxValues?: number;
  /**
   * Accepts numbers with a fraction or an exponent, and `-0`, which is parsed as 0. Default false: signed objects hold
   * integers only.
   */
  floats?: boolean;
}

/**
 * Parses JSON as signed objects require: a strict subset of JSON.parse without duplicate keys, lone surrogates, floats,
 * `-0`, integers beyond +/-(2^53-1), a byte order mark or deep nesting. Two readers of the same bytes then never see
 * different objects. Throws bad_request (code `bad_json`) with the path and the offset (in UTF-16 units of the text),
 * or too_large.
 */
export function parseStrictJson(source: string | Uint8Array, limits: StrictJsonLimits = {}): JsonValue {
  const maxBytes = limits.maxBytes ?? 1_048_576;
  // A text never has fewer bytes than UTF-16 units, so the exact count is needed only near the bound.
  const tooLong =
    source.length > maxBytes ||
    (typeof source === 'string' && source.length * 3 > maxBytes && utf8Length(source) > maxBytes);
  if (tooLong) {
    throw new HearthError('too_large', `the JSON is longer than the ${maxBytes} bytes taken here`, {
      code: 'too_large',
    });
  }
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  return new Reader(text, limits).document();
}

/** The same for text from another home: null if it is invalid or no object. */
export function readStrictObject(source: string | Uint8Array, limits?: StrictJsonLimits): JsonObject | null {
  try {
    const value = parseStrictJson(source, limits);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (isHearthError(error)) return null;
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new HearthError('bad_request', 'not JSON: the bytes are not UTF-8', { code: 'bad_json', cause });
  }
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair makes 4 bytes of 2 units; everything else from U+0800 on makes 3 of one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Sticky: matches at the reader's position. Group 1 captures a fraction or an exponent. */
const numberToken = /-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/y;

class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #maxValues: number;
  readonly #floats: boolean;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #values = 0;

  constructor(text: string, { maxDepth = maxSignedDepth, maxValues = Infinity, floats }: StrictJsonLimits) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#maxValues = maxValues;
    this.#floats = floats === true;
  }

  document(): JsonValue {
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the text');
    return value;
  }

  #value(): JsonValue {
    this.#values += 1;
    // The outermost value isn't counted as a member.
    if (this.#values > this.#maxValues + 1)
      throw this.#refuse(`more than ${this.#maxValues} members and elements`);
    switch (this.#text.charCodeAt(this.#at)) {
      case openBrace:
        return this.#object();
      case openBracket:
        return this.#array();
      case quote:
        return this.#string();
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(): JsonObject {
    const object: JsonObject = {};
    this.#enter();
    if (this.#closes(closeBrace)) return object;
    for (;;) {
      if (this.#text.charCodeAt(this.#at) !== quote) throw this.#unexpected('a member name in double quotes');
      const start = this.#at;
      const name = this.#string();
      this.#path.push(name);
      if (Object.hasOwn(object, name)) throw this.#refuse('this member stands twice in its object', start);
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== colon) throw this.#unexpected("':'");
      this.#at += 1;
      this.#skipSpace();
      setMember(object, name, this.#value());
      this.#path.pop();
      if (this.#closes(closeBrace)) return object;
      this.#separator("',' or '}'");
    }
  }

  #array(): JsonValue[] {
    const array: JsonValue[] = [];
    this.#enter();
    if (this.#closes(closeBracket)) return array;
    for (;;) {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      if (this.#closes(closeBracket)) return array;
      this.#separator("',' or ']'");
    }
  }

  /** Consumes an opening bracket. The depth so far is the length of the path. */
  #enter(): void {
    if (this.#path.length >= this.#maxDepth) throw this.#refuse(`nested deeper than ${this.#maxDepth}`);
    this.#at += 1;
  }

  #closes(bracket: number): boolean {
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== bracket) return false;
    this.#at += 1;
    return true;
  }

  #separator(wanted: string): void {
    if (this.#text.charCodeAt(this.#at) !== comma) throw this.#unexpected(wanted);
    this.#at += 1;
    this.#skipSpace();
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    let escaped = false;
    for (; ; end += 1) {
      const unit = text.charCodeAt(end);
      if (unit === quote) break;
      if (unit === backslash) {
        escaped = true;
        end += 1;
      } else if (unit < 0x20) {
        throw this.#refuse('a control character stands unescaped in a text', end);
      }
      // charCodeAt is NaN past the end, which fails every comparison above.
      if (end >= text.length) throw this.#refuse('a text is not closed', start);
    }
    const value = escaped ? this.#unescape(start, end + 1) : text.slice(start + 1, end);
    if (!value.isWellFormed()) throw this.#refuse('a surrogate stands alone in a text', start);
    this.#at = end + 1;
    return value;
  }

  #unescape(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      throw this.#refuse('a text holds an escape that JSON does not know', start);
    }
  }

  #number(): number {
    const first = this.#text.charCodeAt(this.#at);
    if (first !== minus && !(first >= 0x30 && first <= 0x39)) throw this.#unexpected('a JSON value');
    numberToken.lastIndex = this.#at;
    const match = numberToken.exec(this.#text);
    if (match === null) throw this.#unexpected('a number');
    const value = Number(match[0]);
    if (match[1] === '') {
      if (!Number.isSafeInteger(value))
        throw this.#refuse('an integer is beyond +/-(2^53-1); write it as text');
    } else if (!this.#floats) {
      throw this.#refuse('a number with a fraction or an exponent is not taken; write an integer or a text');
    } else if (!Number.isFinite(value)) {
      throw this.#refuse('a number is too large');
    }
    if (!this.#floats && Object.is(value, -0)) throw this.#refuse('-0 is not taken; write 0');
    this.#at += match[0].length;
    return value === 0 ? 0 : value;
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected('a JSON value');
    this.#at += word.length;
    return value;
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at += 1;
    }
  }

  #unexpected(wanted: string): HearthError {
    const found =
      this.#at < this.#text.length
        ? JSON.stringify(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0))
        : 'the end of the text';
    return this.#refuse(`found ${found} where ${wanted} belongs`);
  }

  #refuse(reason: string, offset = this.#at): HearthError {
    const place = printPath(this.#path);
    const message = `not JSON as it is taken here: ${reason} (at ${place}, offset ${offset})`;
    return new HearthError('bad_request', message, { code: 'bad_json', field: place });
  }
}

/** Assigning `__proto__` would set the prototype; JSON.parse creates a member. */
function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
