import type { DescMessage } from '@bufbuild/protobuf';
import { t } from '@hearth/i18n';
import type { JsonRecord } from '@hearth/proto-json';
import type { OperatorAct, OperatorRow, OperatorValue, Words } from '@hearth/web';
import { factLabel } from './facts.ts';
import { rowOf, type Section, type SectionAct, textOf } from './section.ts';
import { valueWords } from './values.ts';

export function toRow(section: Section, row: JsonRecord): OperatorRow {
  const { acts = {}, titleOf, kindField, idField = 'id' } = section;
  const desc = rowOf(section);
  return {
    title: titleOf(row),
    kind: kindField === undefined ? undefined : wordsOf(desc, kindField, textOf(row, kindField)),
    facts: Object.entries(row)
      .flatMap(withParts)
      .flatMap(([name, value]) => {
        const shown = shownOf(value, (text) => wordsOf(desc, name, text));
        const label = factLabel(name);
        return shown === undefined || label === undefined ? [] : [{ label, value: shown }];
      }),
    acts: Object.entries(acts).flatMap(([act, of]) =>
      !of.alone && (of.offered === undefined || of.offered(row))
        ? [toAct(act, of, textOf(row, of.idField ?? idField))]
        : [],
    ),
  };
}

export function toAct(act: string, { words, danger, fields }: SectionAct, id: string): OperatorAct {
  return { act, id, words, fields, ...(danger && { danger }) };
}

const wordsOf = (desc: DescMessage, name: string, value: string): Words | undefined => {
  const field = desc.fields.find((each) => each.name === name);
  return field && valueWords(field, value);
};

/** Flattens a nested value: "waiting" to "waiting_since" and "waiting_taken_at". */
function withParts([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).map(([part, inside]) => [`${name}_${part}`, inside]);
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The value as shown; undefined if rows do not show it. */
function shownOf(
  value: unknown,
  wordsOf: (text: string) => Words | undefined,
): OperatorValue | readonly OperatorValue[] | undefined {
  if (typeof value === 'boolean') return { words: value ? t('common.yes') : t('common.no') };
  if (typeof value === 'number') return { text: String(value) };
  if (Array.isArray(value)) {
    const texts = value.filter((item) => typeof item === 'string');
    return texts.length === 0 ? undefined : texts.map((text) => textOrWords(text, wordsOf(text)));
  }
  if (typeof value !== 'string' || value === '') return undefined;
  return instant.test(value) ? { atMs: Date.parse(value) } : textOrWords(value, wordsOf(value));
}

const textOrWords = (text: string, words: Words | undefined): OperatorValue =>
  words === undefined ? { text } : { words };
