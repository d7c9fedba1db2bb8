import { badField } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';
import type { ActivityPlace } from '../db/list-activity.ts';

/**
 * Prints a position in the viewer's list, sealed: its time and event id would tell more about a person under
 * 18 than the viewer may know.
 */
export function printCursor(sealer: Pick<Sealer, 'seal'>, viewer: string, place: ActivityPlace): string {
  const plain = `${place.sortAt.getTime()} ${printId('evt', place.event)} ${place.part}`;
  return sealer.seal(Buffer.from(plain), contextOf(viewer)).toString('base64url');
}

/** @throws bad_field unless the cursor was given to this viewer */
export function readCursor(sealer: Pick<Sealer, 'open'>, viewer: string, text: string): ActivityPlace {
  const [sortAt, event, part] = open(sealer, viewer, text).split(' ');
  const id = parseId('evt', event ?? '');
  if (id === null) throw wrongCursor();
  return { sortAt: new Date(Number(sortAt)), event: id, part: Number(part) };
}

function open(sealer: Pick<Sealer, 'open'>, viewer: string, text: string): string {
  try {
    return sealer.open(Buffer.from(text, 'base64url'), contextOf(viewer)).toString();
  } catch {
    throw wrongCursor();
  }
}

const contextOf = (viewer: string) => `delivery.activity-cursor:${viewer}`;
const wrongCursor = () => badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
