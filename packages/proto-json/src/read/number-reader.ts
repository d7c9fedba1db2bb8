import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { badField } from '@hearth/errors';
import type { Rules } from '@hearth/proto/options';
import { type Bounds, boundedRulesOf } from '../field-rules.ts';
import type { ReadValue } from './read-value.ts';
import { rangeWords } from './refuse.ts';

interface Range {
  minimum: number;
  maximum: number;
  clamp: boolean;
  /** The error message for a number out of bounds. */
  words: string;
}

const int32: [number, number] = [-2_147_483_648, 2_147_483_647];
const uint32: [number, number] = [0, 4_294_967_295];
const int64: [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];
const uint64: [bigint, bigint] = [0n, 2n ** 64n - 1n];
const float: [number, number] = [-3.4028234663852886e38, 3.4028234663852886e38];
const double: [number, number] = [-Number.MAX_VALUE, Number.MAX_VALUE];

export function numberReader(field: DescField, bounds: Bounds): ReadValue {
  const rules = boundedRulesOf(field, bounds);
  switch (field.scalar) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integerReader(rangeOf(rules, int32, 'must be a whole number'));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integerReader(rangeOf(rules, uint32, 'must be a whole number'));
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longReader(field, rules, uint64);
    case ScalarType.FLOAT:
      return fractionReader(rangeOf(rules, float, 'must be a number'), Math.fround);
    case ScalarType.DOUBLE:
      return fractionReader(rangeOf(rules, double, 'must be a number'), (value) => value);
    default:
      return longReader(field, rules, int64);
  }
}

function rangeOf({ minimum, maximum, clamp }: Rules, type: [number, number], kind: string): Range {
  const low = minimum === undefined ? type[0] : Math.max(Number(minimum), type[0]);
  const high = maximum === undefined ? type[1] : Math.min(Number(maximum), type[1]);
  const given = rangeWords(minimum ?? (low === 0 ? 0 : undefined), maximum ?? high);
  return { minimum: low, maximum: high, clamp, words: `${kind}, ${given}` };
}

function integerReader(range: Range): ReadValue {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw badField(path, 'must be a whole number');
    return inRange(value, range, path);
  };
}

function fractionReader(range: Range, round: (value: number) => number): ReadValue {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw badField(path, 'must be a number');
    return round(inRange(value, range, path));
  };
}

function inRange(value: number, range: Range, path: string): number {
  if (value > range.maximum && range.clamp) return range.maximum;
  const { minimum: least, maximum: most, words } = range;
  if (value < least || value > most)
    throw badField(path, `${words}; got ${value}`, { range: { of: 'number', least, most } });
  // Adding 0 turns -0, which JSON prints as 0, into 0.
  return value + 0;
}

const decimal = /^-?(?:0|[1-9]\d{0,19})$/;

/** 64-bit integers: JSON numbers where those are exact, decimal strings otherwise. */
function longReader(field: DescField, rules: Rules, type: [bigint, bigint]): ReadValue {
  const { minimum = type[0], maximum = type[1], clamp } = rules;
  const asString = 'longAsString' in field && field.longAsString;
  return (value, path) => {
    let number = toBigInt(value);
    if (number === null) throw badField(path, 'must be a whole number');
    if (number > maximum && clamp) number = maximum;
    if (number < minimum || number > maximum) {
      throw badField(path, `must be a whole number, ${rangeWords(minimum, maximum)}; got ${number}`);
    }
    return asString ? number.toString() : number;
  };
}

function toBigInt(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && decimal.test(value) ? BigInt(value) : null;
}
