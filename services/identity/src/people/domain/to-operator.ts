import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { isMinor, shortenName } from '@hearth/people';
import type { AdminPersonSchema, PersonFacts } from '@hearth/proto/identity/v1/people';
import type { PersonRow } from '../../shared/db/people.ts';
import { shownSuspension, suspensionOf } from '../../shared/domain/suspension.ts';

/** A person as the operator sees them. @param facts from the same row */
export function toOperator(
  row: PersonRow,
  facts: PersonFacts,
  now: Date,
): MessageInitShape<typeof AdminPersonSchema> {
  const minor = isMinor(facts);
  return {
    id: printId('per', row.id),
    handle: minor ? undefined : facts.handle,
    name: minor ? shortenName(facts.name) : facts.name,
    ageBand: facts.ageBand,
    guest: facts.guest,
    app: row.app === null ? undefined : printId('app', row.app),
    createdAt: timestampFromDate(row.createdAt),
    deletesAt: row.deletesAt === null ? undefined : timestampFromDate(row.deletesAt),
    ...shownSuspension(suspensionOf(row, now)),
  };
}
