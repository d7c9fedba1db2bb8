import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, isHearthError } from '@hearth/errors';
import { cursorOf } from '@hearth/paging';
import { readTypedTimestamp } from '@hearth/proto-json';

const changes = cursorOf({ change: 'number' });

export type Since = { at: Date } | { change: number };

/** Prints the number of the newest change, for a reader to send back as `since`. */
export function printSince(change: number): string {
  return changes.print({ change });
}

/** @throws bad_field */
export function readSince(text: string): Since {
  const time = readTypedTimestamp(text);
  if (time !== null) return { at: timestampDate(time) };
  try {
    return changes.read(text);
  } catch (error) {
    if (!isHearthError(error)) throw error;
    throw badField(
      'since',
      'must be the new_since of an earlier answer, or a time such as 2026-01-31T12:00:00Z',
    );
  }
}
