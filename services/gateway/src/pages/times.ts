import type { JsonRecord } from '@hearth/proto-json';
import { newTimes } from '@hearth/web';
import type { FormRequest } from './page.ts';

/**
 * The filled-in times as members of `list` in a request, and the page's field for each of the request's.
 *
 * @param names by the field of a time, the prefix of the page's fields: {starts_at: 'starts'} for starts-1,
 * starts-2 and so on
 */
export function timesOf(
  { field }: Pick<FormRequest, 'field'>,
  list: string,
  names: Readonly<Record<string, string>>,
): { times: JsonRecord[]; fields: Record<string, string> } {
  const fields: Record<string, string> = {};
  const times: JsonRecord[] = [];
  for (const place of newTimes) {
    const pairs = Object.entries(names).map(([name, of]) => [name, `${of}-${place}`] as const);
    const filled = pairs.filter(([, of]) => field(of) !== '');
    if (filled.length === 0) continue;
    fields[`${list}[${times.length}]`] = `time-${place}`;
    for (const [name, of] of pairs) fields[`${list}[${times.length}].${name}`] = of;
    times.push(Object.fromEntries(filled.map(([name, of]) => [name, field(of)])));
  }
  return { times, fields };
}
