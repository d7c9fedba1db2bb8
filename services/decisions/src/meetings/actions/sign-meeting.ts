import { printId } from '@hearth/ids';
import { createSigning, digestOf, type Signing, type SigningParts } from '@hearth/receipts';
import type { Context } from '../context.ts';
import { type MeetingRow, unsigned } from '../db/meetings.ts';
import { recordBody } from '../domain/record.ts';

type Parts = SigningParts & Pick<Context, 'batches' | 'homeNames'>;

/** Signs meetings as they stand: when they are booked, and again when they are moved or called off. */
export function createMeetingSigning(parts: Parts): Signing<MeetingRow> {
  const { batches, homeNames } = parts;
  return createSigning<MeetingRow>(parts, {
    kind: 'meeting',
    unsigned,
    idOf: ({ id }) => id,
    find: batches.meeting,
    async draft(row) {
      const { id, record } = row;
      if (row.signed_record !== null) return null;
      return {
        record,
        type: 'meeting',
        subject: printId('mtg', id),
        prev: row.earlier_record === null ? null : digestOf(row.earlier_record),
        body: recordBody(homeNames.ownHome, row),
        viewers: [...new Set([row.host_viewer, row.guest_viewer, row.host.id, row.guest.id])],
        async store(json) {
          await batches.sign({ id, record, json });
          return { ...row, signed_record: json, revision: row.revision + 1 };
        },
      };
    },
  });
}
