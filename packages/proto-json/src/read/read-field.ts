import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { countCharacters } from '@hearth/addresses';
import { badField, internal } from '@hearth/errors';
import { maxDepth, maxKeyLength } from '../bounds.ts';
import { type Bounds, maxItemsOf, rulesOf } from '../field-rules.ts';
import { checkKey, isObject } from './free-form-reader.ts';
import { itemReader, type Reading, type ReadValue } from './read-value.ts';
import { rangeWords } from './refuse.ts';

/** Returns the reader of a field's whole value, including lists and maps. */
export function fieldReader(field: DescField, reading: Reading): ReadValue {
  const readItem = itemReader(field, reading);
  const { bounds } = reading;
  if (field.fieldKind === 'list') return listReader(field, readItem, bounds);
  if (field.fieldKind === 'map') return mapReader(field, readItem, bounds);
  return readItem;
}

function countCheck(field: DescField, bounds: Bounds): (count: number, path: string) => void {
  const minimum = rulesOf(field).minItems;
  const maximum = maxItemsOf(field, bounds);
  return (count, path) => {
    if (count >= minimum && count <= maximum) return;
    const range = rangeWords(minimum === 0 ? undefined : minimum, maximum);
    throw badField(path, `must have ${range} items; it has ${count}`, {
      range: { of: 'items', least: minimum, most: maximum },
    });
  };
}

function listReader(field: DescField, readItem: ReadValue, bounds: Bounds): ReadValue {
  const checkCount = countCheck(field, bounds);
  return (value, path, depth) => {
    if (!Array.isArray(value)) throw badField(path, 'must be a list');
    if (depth >= maxDepth) throw badField(path, `must not nest deeper than ${maxDepth} levels`);
    checkCount(value.length, path);
    return value.map((item, index) => {
      const itemPath = `${path}[${index}]`;
      if (item === null || item === undefined) throw badField(itemPath, 'must not be null');
      return readItem(item, itemPath, depth + 1);
    });
  };
}

function mapReader(field: DescField & { fieldKind: 'map' }, readItem: ReadValue, bounds: Bounds): ReadValue {
  const checkCount = countCheck(field, bounds);
  const checkMapKey = keyCheck(field);
  return (value, path, depth) => {
    if (!isObject(value)) throw badField(path, 'must be an object');
    if (depth >= maxDepth) throw badField(path, `must not nest deeper than ${maxDepth} levels`);
    const keys = Object.keys(value);
    checkCount(keys.length, path);
    const map: Record<string, unknown> = {};
    for (const key of keys) {
      checkMapKey(key, path);
      const itemPath = `${path}.${key}`;
      const item = value[key];
      if (item === null || item === undefined) throw badField(itemPath, 'must not be null');
      map[key] = readItem(item, itemPath, depth + 1);
    }
    return map;
  };
}

const integerKey = /^(?:0|-?[1-9]\d{0,8})$/;
const booleanKey = /^(?:true|false)$/;

function keyCheck(field: DescField & { fieldKind: 'map' }): (key: string, path: string) => void {
  switch (field.mapKey) {
    case ScalarType.STRING:
      return (key, path) => {
        checkKey(key, path);
        if (key.length <= maxKeyLength || countCharacters(key) <= maxKeyLength) return;
        throw badField(path, `must have keys of at most ${maxKeyLength} characters`);
      };
    case ScalarType.BOOL:
      return (key, path) => {
        if (!booleanKey.test(key)) throw badField(path, 'must have the keys true and false only');
      };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return (key, path) => {
        if (!integerKey.test(key))
          throw badField(path, 'must have whole numbers of at most 9 digits as keys');
      };
    default:
      throw internal(`${field.toString()}: keys of this type have no public JSON`);
  }
}
