import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { type Rules, rules, TextKind } from '@hearth/proto/options';
import { defaultMaxItems, defaultMaxJsonBytes, defaultMaxLength } from './bounds.ts';

/** What a field's (hearth.rules) option says; every rule unset where the field has none. */
export function rulesOf(field: DescField): Rules {
  return getOption(field, rules);
}

/** The rules of a string, with the defaults filled in. */
export interface TextRules {
  kind: 'line' | 'lines' | 'raw';
  /** In code points after cleaning; bytes for a field of type `bytes`. */
  minLength: number;
  maxLength: number;
  /** Regular expression source that the whole value must match; that of the id when the field holds one. */
  pattern: string | null;
  /** What the pattern asks for, to follow "must be". */
  patternWords: string;
}

export function textRulesOf(field: DescField): TextRules {
  const { text, minLength, maxLength, pattern, patternWords, id } = rulesOf(field);
  const common = { minLength, maxLength: maxLength || defaultMaxLength };
  if (id.length > 0) {
    return {
      ...common,
      kind: 'raw',
      pattern: id.length === 1 ? `${id[0]}_[0-9a-f]{32}` : `(?:${id.join('|')})_[0-9a-f]{32}`,
      patternWords: `${id.map((prefix) => `${prefix}_`).join(' or ')} followed by 32 lower-case hex digits`,
    };
  }
  return {
    ...common,
    kind: textKind(field, text),
    pattern: pattern || null,
    patternWords: patternWords || `what the pattern ${pattern} matches`,
  };
}

function textKind(field: DescField, kind: TextKind): TextRules['kind'] {
  if (kind === TextKind.LINES) return 'lines';
  if (kind === TextKind.RAW || !hasOption(field, rules)) return 'raw';
  return 'line';
}

/** The most items of a list or entries of a map. */
export function maxItemsOf(field: DescField): number {
  return rulesOf(field).maxItems || defaultMaxItems;
}

export function maxJsonBytesOf(field: DescField): number {
  return rulesOf(field).maxJsonBytes || defaultMaxJsonBytes;
}
