import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import type { AdminPersonSchema } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';
import { toOperator } from '../domain/to-operator.ts';

/** Locks a person, applies `act` and returns them afterwards. @throws not_found */
export async function actAsOperator(
  context: Context,
  { id: reference, by }: { id: string; by: Caller },
  act: (tx: UnitOfWork, person: PersonRow) => Promise<PersonRow>,
): Promise<MessageInitShape<typeof AdminPersonSchema>> {
  const { clock, commit, people } = context;
  const id = parseId('per', reference) ?? (await people.resolve(reference, by))?.id;
  if (id === undefined) throw notFound();
  return await commit(async (tx) => {
    const person = await lockPerson(tx, id);
    if (person === null) throw notFound();
    const left = await act(tx, person);
    return toOperator(left, people.toFacts(left), nowDate(clock));
  });
}
