import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import {
  asAt,
  type HomeNames,
  isCanonicalAddress,
  parseAddress,
  parseReference,
  printReference,
  withHome,
} from '@hearth/addresses';
import { PersonSchema } from '@hearth/proto/identity/v1/resources';
import { Abroad } from '@hearth/proto/options';
import { jsonNameOf, rulesOf } from '@hearth/proto-json';
import { isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';

/** Converts an address or id; null if it may not be there. */
type Turn = (text: string, abroad: Abroad) => string | null;

/**
 * Converts the answer of get_<kind> to the form sent to other homes: addresses and ids carry the home, and
 * fields that depend on the reader are left out.
 */
export function toAbroad(desc: DescMessage, json: JsonObject, home: string): JsonObject {
  const turn: Turn = (text, abroad) => {
    if (abroad === Abroad.ADDRESS) return withHome(text, home);
    return text === '' || text.startsWith('r:') ? text : printReference({ home, id: text });
  };
  return walk(desc, json, turn, true) as JsonObject;
}

/** Converts JSON of another home to the form that local callers read: local addresses and ids lose the home. */
export function toHere(
  desc: DescMessage,
  json: JsonObject,
  { ownHome }: Pick<HomeNames, 'ownHome'>,
): JsonObject {
  const own = `r:${ownHome}:`;
  const turn: Turn = (text, abroad) => {
    if (abroad === Abroad.ADDRESS) return asAt(text, ownHome);
    return text.startsWith(own) ? text.slice(own.length) : text;
  };
  return walk(desc, json, turn, false) as JsonObject;
}

/**
 * Whether each address has its home and each id is a reference, as `toAbroad` makes them, and things and
 * groups belong to that home.
 */
export function isAbroad(desc: DescMessage, json: JsonObject, home: string, homeNames: HomeNames): boolean {
  const options = optionsOf(homeNames);
  const turn: Turn = (text, abroad) => {
    const isFull = text === '' || (text.indexOf('@') > 0 && isCanonicalAddress(text, options));
    return abroad === Abroad.ADDRESS && !isFull ? null : text;
  };
  return namesOwn(desc, json, home, homeNames) && walk(desc, json, turn, false) !== null;
}

/**
 * Whether each thing and group named in it belongs to that home, which may not make statements about
 * others' things.
 */
export function namesOwn(desc: DescMessage, json: JsonObject, home: string, homeNames: HomeNames): boolean {
  const options = optionsOf(homeNames);
  const turn: Turn = (text, abroad) => {
    if (abroad === Abroad.ID)
      return text === '' || parseReference(text, options)?.home === home ? text : null;
    if (abroad === Abroad.REFERENCE) return text === '' || parseReference(text, options) ? text : null;
    return text.startsWith('&') && parseAddress(text, options)?.home !== home ? null : text;
  };
  return walk(desc, json, turn, false) !== null;
}

/** A code, a day, a time zone, a digest, or the UID of a calendar file with its home's name. */
const word = /^[\w.:+/@-]{0,300}$/;

/**
 * Whether each text not declared `untrusted` is a word, so that no sentence of another home can pass for one
 * of this home.
 */
export function saysWords(desc: DescMessage, json: JsonObject): boolean {
  return desc.fields.every((field) => {
    const { abroad, untrusted } = rulesOf(field);
    const isFree = untrusted || abroad !== Abroad.UNSPECIFIED;
    return [json[jsonNameOf(field)] ?? null].flat().every((value) => {
      if (field.scalar === ScalarType.STRING) return isFree || typeof value !== 'string' || word.test(value);
      return !isJsonObject(value) || !hasFields(field) || saysWords(field.message, value);
    });
  });
}

/** A free-form object is signed unchanged. */
function hasFields(field: DescField): field is DescField & { message: DescMessage } {
  return field.message !== undefined && !field.message.typeName.startsWith('google.protobuf.');
}

/** Local addresses and references carry this home's name, too. */
const optionsOf = ({ devHomes = [], ownHome }: HomeNames) => ({ devHomes: [...devHomes, ownHome] });

/** Converts each text; null if `turn` returns null for one of them. */
function walk(desc: DescMessage, json: JsonObject, turn: Turn, leavesOut: boolean): JsonObject | null {
  const after: JsonObject = { ...json };
  for (const field of desc.fields) {
    const name = jsonNameOf(field);
    const value = json[name];
    if (value === undefined || value === null) continue;
    const { abroad } = rulesOf(field);
    if (abroad === Abroad.LEFT_OUT) {
      if (leavesOut) delete after[name];
      continue;
    }
    const turned = Array.isArray(value)
      ? value.map((element) => turnValue(field, element, turn, leavesOut))
      : turnValue(field, value, turn, leavesOut);
    if (turned === null || (Array.isArray(turned) && turned.includes(null))) return null;
    after[name] = turned;
  }
  return desc.typeName === PersonSchema.typeName && !leavesOut ? { ...after, ...livingAt(after) } : after;
}

/** Derives a person's handle and home from their address. */
function livingAt({ address }: JsonObject): JsonObject {
  if (typeof address !== 'string' || !address.includes('@')) return {};
  const [handle = '', home = ''] = address.split('@');
  return handle === '' ? { handle: home } : { handle, home };
}

function turnValue(field: DescField, value: JsonValue, turn: Turn, leavesOut: boolean): JsonValue {
  const { abroad } = rulesOf(field);
  if (typeof value === 'string' && abroad !== Abroad.UNSPECIFIED) return turn(value, abroad);
  return hasFields(field) && isJsonObject(value) ? walk(field.message, value, turn, leavesOut) : value;
}
