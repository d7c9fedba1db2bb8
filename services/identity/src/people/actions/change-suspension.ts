import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { AdminPersonSchema } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import type { Suspension } from '../../shared/domain/suspension.ts';
import type { Context } from '../context.ts';
import type { Told } from '../domain/events.ts';
import { toOperator } from '../domain/to-operator.ts';
import { changePerson } from './change-person.ts';

/** Suspends a person or ends that, as `choose` says of them as they are; null changes nothing. @throws not_found */
export async function changeSuspension(
  context: Context,
  { id: reference, by }: { id: string; by: Caller },
  choose: (person: PersonRow) => [Suspension, Told] | null,
): Promise<MessageInitShape<typeof AdminPersonSchema>> {
  const { clock, commit, people } = context;
  const id = parseId('per', reference) ?? (await people.resolve(reference, by))?.id;
  if (id === undefined) throw notFound();
  return await commit(async (tx) => {
    const person = await lockPerson(tx, id);
    if (person === null) throw notFound();
    const [suspension = {}, told] = choose(person) ?? [];
    if (told !== undefined) await changePerson(context, tx, person, suspension, { ...told, by });
    return toOperator({ ...person, ...suspension }, people.toFacts(person), nowDate(clock));
  });
}
