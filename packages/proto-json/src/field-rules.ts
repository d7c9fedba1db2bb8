import {
  clone,
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  hasOption,
  merge,
  ScalarType,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { internal } from '@hearth/errors';
import { file_hearth_delivery_v1_wake_ups } from '@hearth/proto/delivery/v1/wake_ups';
import {
  FieldKind,
  FieldKindSchema,
  kind_rules,
  type Rules,
  RulesSchema,
  rules,
  TextKind,
  wake_up,
} from '@hearth/proto/options';
import { defaultMaxItems, defaultMaxJsonBytes, defaultMaxLength } from './bounds.ts';

/** The values of a home's limits, by the names used in `Rules.limit`. */
export type Bounds = ReadonlyMap<string, number>;

const known = new WeakMap<DescField, Rules>();

/** A field's rules: its kind's rules, overridden by its own. Rules are unset where the field has none. */
export function rulesOf(field: DescField): Rules {
  let found = known.get(field);
  if (found === undefined) {
    const own = getOption(field, rules);
    const kind = FieldKindSchema.value[own.kind];
    found = kind === undefined ? own : withKind(own, getOption(kind, kind_rules), field);
    known.set(field, found);
  }
  return found;
}

function withKind(own: Rules, ofKind: Rules, field: DescField): Rules {
  const both = clone(RulesSchema, ofKind);
  const mayBeLeftOut = field.fieldKind === 'list' || field.presence === FeatureSet_FieldPresence.EXPLICIT;
  if (mayBeLeftOut) both.required = false;
  merge(RulesSchema, both, own);
  return both;
}

/** The names of the values that an enum field can have. */
export function valuesOf(field: DescField & { enum: DescEnum }): readonly string[] {
  const { only } = rulesOf(field);
  const { names, has } = enumNames(field.enum);
  const unknown = only.find((name) => !has(name));
  if (unknown !== undefined)
    throw internal(`${field.toString()}: ${field.enum.typeName} has no value ${unknown}`);
  return only.length > 0 ? only : names;
}

const wakeUpNames: readonly string[] = file_hearth_delivery_v1_wake_ups.messages
  .filter((message) => hasOption(message, wake_up))
  .map((message) => getOption(message, wake_up).name);

/** The values that a text or a number can have, as texts; null if it can have any other. */
export function choicesOf(field: DescField): readonly string[] | null {
  const { kind, only } = rulesOf(field);
  if (kind === FieldKind.WAKE_UP) return wakeUpNames;
  return only.length > 0 && field.enum === undefined ? only : null;
}

/** The field that holds the whole message as another home signed it; undefined if there is none. */
export function asCameField(desc: DescMessage): DescField | undefined {
  return desc.fields.find((field) => rulesOf(field).asCame);
}

/** The fields in the public JSON. */
export function publicFields(desc: DescMessage): readonly DescField[] {
  return desc.fields.filter((field) => !rulesOf(field).asCame && !rulesOf(field).internal);
}

/** The name of a field in a response's JSON. */
export function jsonNameOf(field: DescField): string {
  return rulesOf(field).jsonName || field.name;
}

/** A field's rules, with the home's limit filled into the rule that it bounds. Throws for a limit without a value. */
export function boundedRulesOf(field: DescField, bounds: Bounds): Rules {
  const declared = rulesOf(field);
  if (declared.limit === '') return declared;
  const bound = bounds.get(declared.limit);
  if (bound === undefined) throw internal(`${field.toString()}: there is no limit ${declared.limit}`);
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return { ...declared, maxItems: bound };
  if (field.message !== undefined) return { ...declared, maxJsonBytes: bound };
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES) {
    return { ...declared, maxLength: bound };
  }
  return { ...declared, maximum: BigInt(bound) };
}

/** A string's rules, with defaults filled in. */
export interface TextRules {
  kind: 'line' | 'lines' | 'raw';
  /** In code points after cleaning; in bytes for a field of type `bytes`. */
  minLength: number;
  maxLength: number;
  /** A regular expression that the whole value must match. The pattern of an id if the field holds one. */
  pattern: string | null;
  /** The pattern in words, to follow "must be". */
  patternWords: string;
}

export function textRulesOf(field: DescField, bounds: Bounds): TextRules {
  const { minLength, maxLength, pattern, patternWords, id, orReference } = boundedRulesOf(field, bounds);
  const common = { minLength, maxLength: maxLength || defaultMaxLength };
  if (id.length > 0) {
    return {
      ...common,
      kind: textKindOf(field),
      pattern: `${id.length === 1 ? id[0] : `(?:${id.join('|')})`}_[0-9a-f]{32}${orReference ? '|r:.+' : ''}`,
      patternWords: `${id.map((prefix) => `${prefix}_`).join(' or ')} followed by 32 lower-case hex digits${
        orReference ? ', or r:<home>:<id> of another home' : ''
      }`,
    };
  }
  return {
    ...common,
    kind: textKindOf(field),
    pattern: pattern || null,
    patternWords: patternWords || `what the pattern ${pattern} matches`,
  };
}

/** How a string is cleaned: as its field declares. An id, or a field without rules, stays as it is. */
export function textKindOf(field: DescField): TextRules['kind'] {
  const { text, id } = rulesOf(field);
  if (id.length > 0 || text === TextKind.RAW || !hasOption(field, rules)) return 'raw';
  if (text === TextKind.LINES) return 'lines';
  return 'line';
}

/** Tokens that callers choose, or that carry more than the id of a thing. */
const noIds: ReadonlySet<FieldKind> = new Set([
  FieldKind.APP_REFERENCE,
  FieldKind.CURSOR,
  FieldKind.REQUEST_ID,
  FieldKind.URL,
]);

/** True if a string may be the id of a thing. */
export function mayBeId(field: DescField): boolean {
  return textKindOf(field) === 'raw' && !noIds.has(rulesOf(field).kind);
}

/** The most items of a list, or entries of a map. */
export function maxItemsOf(field: DescField, bounds: Bounds): number {
  return boundedRulesOf(field, bounds).maxItems || defaultMaxItems;
}

/** True for a string that holds an object as JSON: a string with `max_json_bytes`. */
export function isObjectText(field: DescField): boolean {
  return field.scalar === ScalarType.STRING && rulesOf(field).maxJsonBytes > 0;
}

export function maxJsonBytesOf(field: DescField, bounds: Bounds): number {
  return boundedRulesOf(field, bounds).maxJsonBytes || defaultMaxJsonBytes;
}
