import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, type HearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { readTypedTimestamp } from '@hearth/proto-json';

/**
 * Reads `since` into a place in a list.
 *
 * @param ofMessage the place of a message; null if the caller may not see it
 */
export async function readSince<Place>(
  since: string | undefined,
  ofMessage: (id: string) => Promise<Place | null>,
  ofTime: (time: Date) => Promise<Place>,
): Promise<Place | null> {
  if (since === undefined) return null;
  const id = parseId('msg', since);
  if (id !== null) {
    const place = await ofMessage(id);
    if (place === null) throw unknownSince();
    return place;
  }
  const time = readTypedTimestamp(since);
  if (time === null)
    throw badField('since', 'must be the id of a message or a time such as 2026-01-31T12:00:00Z');
  return await ofTime(timestampDate(time));
}

export function unknownSince(): HearthError {
  return badField('since', 'is no message that you can see');
}
