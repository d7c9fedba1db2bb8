import { badField, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { Scope } from '@hearth/proto/options';
import { actingPerson, type Call, callerKinds } from '@hearth/rpc';
import { mayNotRead, type Woken } from '../../shared/domain/streams.ts';
import type { Context } from '../context.ts';

/**
 * Returns the AI that is meant: the caller itself, or, if an app acts for a person, an AI of that person.
 *
 * @param id `me`, or the AI's id
 * @throws not_found for any other AI; forbidden if the AI may not read; bad_request if the app does not name
 * the person that it acts for
 */
export async function findWoken({ ais }: Pick<Context, 'ais'>, id: string, call: Call): Promise<Woken> {
  const { caller } = call;
  if (caller.kind === callerKinds.AI) {
    if (id !== 'me' && id !== caller.address && parseId('ai', id) !== caller.id) throw notFound();
    return { ai: caller.id, person: caller.person || null };
  }
  const person = actingPerson(caller);
  if (id === 'me') throw badField('id', 'must be the id of an AI of the person for whom you act');
  const ai = parseId('ai', id);
  const facts = ai === null ? undefined : (await ais.findAis({ ids: [ai] }, { call })).results[0]?.facts;
  if (facts === undefined || facts.revoked || facts.owner !== person) throw notFound();
  if (!facts.permissions.includes(Scope.READ)) throw mayNotRead();
  return { ai: facts.id, person };
}
