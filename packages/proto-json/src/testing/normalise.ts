import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { isObjectText, publicFields, rulesOf, textKindOf } from '../field-rules.ts';
import { meaningOf } from '../read/text-reader.ts';
import { cleanLine, cleanLines } from '../text.ts';

/**
 * The expected result of reading valid public JSON and writing it again, computed without messages: pasted addresses
 * resolved, text cleaned, times in UTC, numbers clamped, and the members that are always printed.
 */
export function normalise(desc: DescMessage, json: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of publicFields(desc)) {
    const value = Object.hasOwn(json, field.name) ? json[field.name] : undefined;
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (isEmpty && rulesOf(field).omitEmpty) continue;
    if (value !== undefined && value !== null) out[field.name] = normaliseField(field, value);
    else if (rulesOf(field).nullable) out[field.name] = null;
    else if (field.fieldKind === 'list') out[field.name] = [];
    else if (field.fieldKind === 'map') out[field.name] = {};
    else if (field.fieldKind === 'scalar' && field.presence === FeatureSet_FieldPresence.IMPLICIT) {
      out[field.name] = isObjectText(field) ? {} : zero(field.scalar);
    }
  }
  return out;
}

function zero(scalar: ScalarType): unknown {
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return '';
  return scalar === ScalarType.BOOL ? false : 0;
}

function normaliseField(field: DescField, value: unknown): unknown {
  if (field.fieldKind === 'list') return (value as unknown[]).map((item) => normaliseItem(field, item));
  if (field.fieldKind !== 'map') return normaliseItem(field, value);
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [key, normaliseItem(field, item)]),
  );
}

function normaliseItem(field: DescField, value: unknown): unknown {
  if (field.message?.typeName === 'google.protobuf.Timestamp') return new Date(value as string).toISOString();
  if (field.message?.typeName.startsWith('google.')) return JSON.parse(JSON.stringify(value));
  if (field.message) return normalise(field.message, value as Record<string, unknown>);
  if (isObjectText(field)) return JSON.parse(JSON.stringify(value));
  if (field.scalar === ScalarType.STRING) {
    const kind = textKindOf(field);
    const meant = meaningOf(field)(value as string);
    return kind === 'raw' ? meant : kind === 'line' ? cleanLine(meant) : cleanLines(meant);
  }
  const { maximum, clamp } = rulesOf(field);
  if (typeof value === 'number') return (clamp && value > Number(maximum) ? Number(maximum) : value) + 0;
  return value;
}
