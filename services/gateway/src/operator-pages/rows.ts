import type { JsonRecord } from '@hearth/proto-json';
import type { OperatorRow, OperatorValue } from '@hearth/web';
import { type Section, textOf } from './section.ts';

export function toRow({ acts = {}, titleOf, idField = 'id' }: Section, row: JsonRecord): OperatorRow {
  return {
    title: titleOf(row),
    facts: Object.entries(row).flatMap(([name, value]) => {
      const shown = shownOf(value);
      return shown === undefined ? [] : [{ label: labelOf(name), value: shown }];
    }),
    acts: Object.entries(acts).flatMap(([act, { offered, words, danger, fields, idField: own = idField }]) =>
      offered === undefined || offered(row)
        ? [{ act, id: textOf(row, own), words, fields, ...(danger && { danger }) }]
        : [],
    ),
  };
}

/** "suspended_until" as "Suspended until". */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Undefined for what a row does not show: nothing, and what has parts of its own. */
function shownOf(value: unknown): OperatorValue | undefined {
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no' };
  if (typeof value === 'number') return { text: String(value) };
  if (Array.isArray(value)) {
    const texts = value.filter((item) => typeof item === 'string');
    return texts.length === 0 ? undefined : { text: texts.join(', ') };
  }
  if (typeof value !== 'string' || value === '') return undefined;
  return instant.test(value) ? { atMs: Date.parse(value) } : { text: value };
}
